export interface TailFilter {
  readonly type: string | undefined;
  readonly subject: string | undefined;
  readonly correlation: string | undefined;
}

/** The EventBridge pattern of a filter, so that the bus filters for us; undefined when everything is wanted. */
export function filterPattern({ type, subject, correlation }: TailFilter): object | undefined {
  if (type === undefined && subject === undefined && correlation === undefined) return undefined;
  const detail = {
    ...(subject !== undefined && { subject: [matcher(subject)] }),
    ...(correlation !== undefined && { correlationid: [matcher(correlation)] }),
  };
  return {
    ...(type !== undefined && { 'detail-type': [matcher(type)] }),
    ...(Object.keys(detail).length > 0 && { detail }),
  };
}

const matcher = (text: string) => (text.includes('*') ? { wildcard: text } : text);
