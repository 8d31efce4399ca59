import type { SeenEvent } from './stage';

/** An event in a few words: what is decided and why, then figures, then words, as `name=value`; no references. */
export function shortData({ data, subject, source }: SeenEvent, leaveOut: readonly string[] = []): string {
  if (source.startsWith('aws.')) return shortAwsData(data);
  const said = decision(data);
  const figures = Object.entries(data).filter(([, value]) => typeof value === 'number');
  const others = Object.entries(data).filter(([, value]) => typeof value !== 'number');
  const facts = [...figures, ...others].flatMap(([name, value]) => {
    if (leaveOut.includes(name) || name === 'reason' || name === 'reasons') return [];
    const text = short(value);
    return text === undefined || text === subject ? [] : [`${name}=${text}`];
  });
  return [...(said ? [said] : []), ...facts].join('  ');
}

/** Of an upload only the size says something that the key does not. */
function shortAwsData({ object }: SeenEvent['data']): string {
  const { size } = (object ?? {}) as { size?: unknown };
  return typeof size === 'number' ? `${Math.ceil(size / 1024)} kB` : '';
}

/** Why a fact is as it is, where its data says so. */
export function decision({ reason, reasons }: SeenEvent['data']): string | undefined {
  if (typeof reason === 'string') return reason;
  if (Array.isArray(reasons)) return reasons.filter((each) => typeof each === 'string').join('; ');
  return undefined;
}

function short(value: unknown): string | undefined {
  if (typeof value === 'number') return String(Number.isInteger(value) ? value : Number(value.toFixed(4)));
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value.length <= 40 && !value.startsWith('s3://') ? value : undefined;
  if (Array.isArray(value)) return `[${value.length}]`;
  return undefined;
}

/** `21:04:09.123` in local time. */
export function clock(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** `2026-11-30 21:04:09` in local time. */
export function dateAndTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(iso).slice(0, 8)}`;
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.round(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
