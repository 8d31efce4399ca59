/** Writes JSON as YAML, keys sorted, for goldens that are read in review. */
export function toYaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return list(value, indent);
  if (typeof value === 'object' && value !== null) return map(value as Record<string, unknown>, indent);
  return `${scalar(value)}\n`;
}

function list(values: readonly unknown[], indent: string): string {
  if (values.length === 0) return '[]\n';
  return values.map((value) => `${indent}- ${toYaml(value, `${indent}  `).trimStart()}`).join('');
}

function map(value: Record<string, unknown>, indent: string): string {
  const keys = Object.keys(value).sort();
  if (keys.length === 0) return '{}\n';
  return keys.map((key) => `${indent}${scalar(key)}:${member(value[key], indent)}`).join('');
}

function member(value: unknown, indent: string): string {
  const nested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return nested ? `\n${toYaml(value, `${indent}  `)}` : ` ${toYaml(value)}`;
}

/** Plain where YAML reads it back as the same string. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[A-Za-z][\w ./-]*$/.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value)
    ? value.trim()
    : JSON.stringify(value);
}
