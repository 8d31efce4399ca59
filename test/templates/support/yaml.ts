const WIDTH = 110;

/** Writes a template as CloudFormation YAML, keys sorted, for goldens that are read in review. */
export function toYaml(value: unknown, indent = ''): string {
  const inline = inlined(value);
  if (inline !== undefined && inline.length + indent.length < WIDTH) return `${inline}\n`;
  if (Array.isArray(value)) {
    return value.map((each) => `${indent}- ${toYaml(each, `${indent}  `).trimStart()}`).join('');
  }
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => `${indent}${scalar(key)}:${member(each, indent)}`).join('');
}

function member(value: unknown, indent: string): string {
  const text = toYaml(value, `${indent}  `);
  return text.startsWith(' ') ? `\n${text}` : ` ${text}`;
}

/** What fits on a line: scalars, references, and lists and empty maps of these. */
function inlined(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (Array.isArray(value)) {
    const parts = value.map((each) => (Array.isArray(each) ? undefined : inlined(each)));
    return parts.includes(undefined) ? undefined : `[${parts.join(', ')}]`;
  }
  const [[key, inner] = [], ...more] = Object.entries(value);
  if (key === undefined) return '{}';
  if (more.length > 0) return undefined;
  if (key === 'Ref') return `!Ref ${inner}`;
  return key === 'Fn::GetAtt' && Array.isArray(inner) ? `!GetAtt ${inner.join('.')}` : undefined;
}

/** Plain where YAML reads it back as the same string. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const plain = /^[A-Za-z][\w ./-]*[\w/]$/.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value);
  return plain ? value : JSON.stringify(value);
}
