import { randomBytes } from 'node:crypto';
import { HeadraceError } from '../../contract';

/** What EventBridge allows for the names of its own replays. */
const FORM = /^[A-Za-z0-9._-]{1,64}$/;

/** The name of a replay: as given, or one that nobody had before. @throws HeadraceError HR501 */
export function replayName(given: string | undefined, now: Date): string {
  if (given === undefined) {
    const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
    return `replay-${time}-${randomBytes(2).toString('hex')}`;
  }
  if (FORM.test(given)) return given;
  throw new HeadraceError('HR501', {
    what: 'This is no name for a replay.',
    got: given,
    allowed: 'up to 64 letters, digits, dots, dashes and underscores',
    next: 'Give --name another value, or leave it out.',
  });
}

/** The command that goes on with a replay: the same window and the same name, whatever the time is then. */
export function commandToGoOn(options: {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
  readonly texts: Readonly<Record<string, string | number | undefined>>;
  readonly flags: Readonly<Record<string, boolean>>;
}): string {
  const { name, from, to, texts, flags } = options;
  const values = { from: from.toISOString(), to: to.toISOString(), name, ...texts };
  return [
    'npx headrace replay',
    ...Object.entries(values).flatMap(([key, value]) =>
      value === undefined ? [] : [`--${key} ${quoted(`${value}`)}`],
    ),
    ...Object.entries(flags).flatMap(([key, set]) => (set ? [`--${key}`] : [])),
    '--yes',
  ].join(' ');
}

/** As a shell takes it. */
const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
