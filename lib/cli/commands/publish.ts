import { command } from '../command';

export const publish = command({
  name: 'publish',
  summary: 'Check an event against its contract and put it on the bus',
  details:
    'With --spool the event is kept in a folder until the bus has accepted it. What earlier calls left there is sent first, under the same ids; without a type, only that is sent.',
  args: {
    type: { summary: 'event type, such as model.trained; or with its version, model.trained@1', optional: true },
  },
  options: {
    data: { kind: 'text', value: '<json>', summary: 'the data: JSON, @file, or - for standard input' },
    example: { kind: 'flag', summary: "use the contract's own example as the data" },
    spool: { kind: 'text', value: '<folder>', summary: 'keep what is not accepted yet here; one for each pipeline' },
    dryRun: { kind: 'flag', summary: 'check and show the event, send nothing' },
  },
  examples: [
    'npx headrace publish model.trained --example --dry-run',
    'npx headrace publish feedback.received --data @feedback.json',
    `echo '{"image":"s3://..."}' | npx headrace publish prediction.requested --data -`,
    'npx headrace publish feedback.received --data @feedback.json --spool outgoing',
    'npx headrace publish --spool outgoing',
  ],
  async run({ args, options, out, cwd, readInput, connect }) {
    const { resolve } = require('node:path') as typeof import('node:path');
    const { onlySpool, sendLeftOvers, spoolLines } = require('../spooled') as typeof import('../spooled');
    const { data, example, dryRun } = options;
    const spool = options.spool === undefined ? undefined : resolve(cwd, options.spool);
    if (args.type === undefined) {
      const only = onlySpool(spool);
      const result = await sendLeftOvers({ spool: only, pipeline: await connect(), out, dryRun });
      out.result({ dryRun, spool: result }, () => spoolLines(result, dryRun));
      return result.left.length > 0 ? 1 : 0;
    }
    const { discover } = require('../../module') as typeof import('../../module');
    const { consumersOf, heardBy } = require('../consumers') as typeof import('../consumers');
    const draft = require('../draft') as typeof import('../draft');
    const runtime = require('../../runtime/publish') as typeof import('../../runtime/publish');
    const project = discover(options.project);
    const contract = draft.findContract(args.type, project.contracts);
    const fact = draft.checkedDraft(contract, await draft.readData(contract, { data, example, cwd, readInput }));
    if (dryRun) {
      const envelope = draft.preview(fact);
      out.result({ dryRun: true, event: envelope }, () => [
        `${contract.type} version ${contract.version} fits its contract. Nothing was sent.`,
        JSON.stringify(envelope, null, 2),
      ]);
      return 0;
    }
    const pipeline = await connect();
    const { clients, bus } = pipeline;
    const leftOvers = spool === undefined ? undefined : await sendLeftOvers({ spool, pipeline, out, dryRun });
    const how = { client: clients.eventbridge, bus, ...(spool !== undefined && { spool }) };
    const [envelope] = await runtime.publish([fact], how);
    const consumers = consumersOf(contract, project);
    const result = { id: envelope?.id, type: contract.type, subject: envelope?.subject, bus, consumers };
    out.result({ ...result, ...(leftOvers && { spool: leftOvers }) }, (sent) => [
      `${out.style.bold(contract.type)}  ${sent.subject}  ${sent.id}`,
      heardBy(contract, project, pipeline),
      out.style.dim('npx headrace events in a second terminal shows what passes from then on'),
    ]);
    return 0;
  },
});
