import { command } from '../command';

export const publish = command({
  name: 'publish',
  summary: 'Check an event against its contract and put it on the bus',
  args: { type: { summary: 'event type, such as model.trained; or with its version, model.trained@1' } },
  options: {
    data: { kind: 'text', value: '<json>', summary: 'the data: JSON, @file, or - for standard input' },
    example: { kind: 'flag', summary: "use the contract's own example as the data" },
    dryRun: { kind: 'flag', summary: 'check and show the event, send nothing' },
  },
  examples: [
    'npx headrace publish model.trained --example --dry-run',
    'npx headrace publish feedback.received --data @feedback.json',
    `echo '{"image":"s3://..."}' | npx headrace publish prediction.requested --data -`,
  ],
  async run({ args, options, out, cwd, readInput, connect }) {
    const { discover } = require('../../module') as typeof import('../../module');
    const { consumersOf, heardBy } = require('../consumers') as typeof import('../consumers');
    const draft = require('../draft') as typeof import('../draft');
    const runtime = require('../../runtime/publish') as typeof import('../../runtime/publish');
    const project = discover(options.project);
    const contract = draft.findContract(args.type, project.contracts);
    const { data, example } = options;
    const fact = draft.checkedDraft(contract, await draft.readData(contract, { data, example, cwd, readInput }));
    if (options.dryRun) {
      const envelope = draft.preview(fact);
      out.result({ dryRun: true, event: envelope }, () => [
        `${contract.type} version ${contract.version} fits its contract. Nothing was sent.`,
        JSON.stringify(envelope, null, 2),
      ]);
      return;
    }
    const pipeline = await connect();
    const { clients, bus } = pipeline;
    const [envelope] = await runtime.publish([fact], { client: clients.eventbridge, bus });
    const consumers = consumersOf(contract, project);
    out.result({ id: envelope?.id, type: contract.type, subject: envelope?.subject, bus, consumers }, (sent) => [
      `${out.style.bold(contract.type)}  ${sent.subject}  ${sent.id}`,
      heardBy(contract, project, pipeline),
      out.style.dim('npx headrace events in a second terminal shows what passes from then on'),
    ]);
  },
});
