import { command } from '../command';
import { counted } from '../counted';

export const events = command({
  name: 'events',
  summary: 'Watch events pass over the bus',
  details: 'Listens through a rule and a queue of its own and removes both at the end. Uploads to S3 are shown too.',
  options: {
    type: { kind: 'text', value: '<type>', summary: 'only this type; * stands for any text: model.*' },
    subject: { kind: 'text', value: '<subject>', summary: 'only events about this entity' },
    correlation: { kind: 'text', value: '<id>', summary: 'only the chain of this first event' },
    for: { kind: 'number', value: '<seconds>', from: 1, to: 86_400, whole: false, summary: 'stop after so long' },
    limit: { kind: 'number', value: '<n>', from: 1, to: 1_000_000, summary: 'stop after so many events' },
  },
  examples: [
    'npx headrace events',
    "npx headrace events --type 'model.*' --for 60",
    'npx headrace events --json --limit 10',
  ],
  endsOnSignal: true,
  async run({ options, out, signal, connect }) {
    const { tail, uploadRules, filterPattern } = require('../tail') as typeof import('../tail');
    const { eventLine } = require('../tail/event-line') as typeof import('../tail/event-line');
    const { clients, bus, outputs } = await connect();
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    const timer = options.for === undefined ? undefined : setTimeout(end, options.for * 1000);
    const pattern = filterPattern(options);
    let count = 0;
    const source = {
      name: bus,
      eventbridge: clients.eventbridge,
      sqs: clients.sqs,
      ...(pattern ? { pattern } : { defaultBus: uploadRules(options.project, outputs) }),
      onReady: () => out.note(out.style.dim(`listening to ${bus}; Ctrl-C ends it`)),
    };
    const show = (event: import('../stage').SeenEvent) => {
      if (options.limit !== undefined && count >= options.limit) return;
      count += 1;
      out.result(event, () => eventLine(event, out));
      if (count === options.limit) end();
    };
    await tail(source, show, stop.signal).finally(() => clearTimeout(timer));
    out.note(out.style.dim(counted(count, 'event')));
  },
});
