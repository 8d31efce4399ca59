import { command } from '../command';

export const dlqEdit = command({
  name: 'dlq edit',
  summary: 'Correct the event in a dead letter and send it to its module',
  details:
    "Without --file the event is written to a file, and opened in $EDITOR when there is a terminal. With --file the\ncorrected event is checked against the module's contracts and sent to its queue; then the letter is removed.\n\nA corrected event is another event: it gets an id of its own, computed from the old one, and names the old one as its\ncause. Under the old id the ledger would hand it results of `once` that belong to the old data. However often a letter is\nmended, the module handles one correction of it.",
  args: { id: { summary: 'id of the letter or of the event in it; its first characters will do' } },
  options: {
    file: { kind: 'text', value: '<file>', summary: 'the corrected event' },
    dryRun: { kind: 'flag', summary: 'check the corrected event and show it, send nothing' },
  },
  examples: [
    'npx headrace dlq edit 5f0c2a1e',
    'npx headrace dlq edit 5f0c2a1e --file letter-5f0c2a1e.json --dry-run',
    'npx headrace dlq edit 5f0c2a1e --file letter-5f0c2a1e.json',
  ],
  async run({ args, options, out, cwd, env, interactive, connect, confirm }) {
    const { join } = require('node:path') as typeof import('node:path');
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const pipeline = await connect();
    const { sqs } = pipeline.clients;
    const { boxes } = dead.mailboxes(pipeline, options.project);
    const found = await dead.findLetter(sqs, boxes, args.id);
    const { letter, mailbox } = found;
    let file = options.file;
    if (file === undefined) {
      file = join(cwd, `letter-${letter.id.slice(0, 8)}.json`);
      const send = `npx headrace dlq edit ${letter.id} --file ${file}`;
      dead.writeDraft(file, dead.editable(letter), `Send it with ${send}, or delete it.`);
      const editor = env.VISUAL ?? env.EDITOR;
      if (!interactive || out.json || editor === undefined) {
        out.result({ file, letter: letter.id, send }, () => [`Wrote ${file}. Correct it, then:`, send]);
        return;
      }
      await dead.openEditor(editor, file);
    }
    dead.refuseOrphaned(mailbox);
    const listenables = dead.listenedAt(options.project).on.get(mailbox.module) ?? [];
    const correction = dead.correct(letter, dead.readDraft(file, cwd), listenables);
    const { id, causationId } = correction;
    const summary = { letter: letter.id, module: mailbox.module, id, causationId };
    const asked = options.file === undefined && !options.dryRun;
    if (options.dryRun || (asked && !(await confirm(`Send it to ${mailbox.module}?`)))) {
      const event: unknown = JSON.parse(correction.body);
      out.result({ dryRun: true, ...summary, event }, () => [
        `The event fits what ${mailbox.module} listens to. Nothing was sent.`,
        JSON.stringify(event, null, 2),
      ]);
      return;
    }
    const removed = await dead.sendCorrection(sqs, found, correction);
    out.result({ dryRun: false, ...summary, removed }, () => [
      `Sent to ${mailbox.module} as ${id}, caused by ${causationId}.`,
      ...(removed ? [] : ['The letter could not be removed: npx headrace dlq discard does it.']),
    ]);
    return removed ? 0 : 1;
  },
});
