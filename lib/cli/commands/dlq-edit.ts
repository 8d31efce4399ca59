import { command } from '../command';
import type { Output } from '../output';

export const dlqEdit = command({
  name: 'dlq edit',
  summary: 'Correct the event in a dead letter and send it to its module',
  details:
    "Without --file the event is written to a file, and opened in $EDITOR when there is a terminal. With --file the corrected event is checked against the module's contracts and sent to its queue; then the letter is removed.\n\nA corrected event is another event: it gets an id of its own, computed from the old one, and names the old one as its cause. Under the old id the ledger would hand it results of `once` that belong to the old data. However often a letter is mended, the module handles one correction of it.",
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
    const draft = options.file ?? join(cwd, `letter-${letter.id.slice(0, 8)}.json`);
    const send = dead.editLine(letter.id, draft, options.target);
    if (options.file === undefined) {
      const editor = interactive && !out.json ? dead.editorIn(env) : undefined;
      const opened = await dead.openDraft({ draft, text: dead.editable(letter), send, editor });
      if (!opened) return sayWritten(out, { file: draft, letter: letter.id, send });
      out.note(out.style.dim(`Kept in ${draft} until it is sent: ${send}`));
    }
    dead.refuseOrphaned(mailbox);
    const listened = dead.listenedAt(options.project);
    const correction = dead.correct(letter, dead.readDraft(draft, cwd), listened.on.get(mailbox.module) ?? []);
    const { id, causationId } = correction;
    const summary = { letter: letter.id, module: mailbox.module, id, causationId };
    const agreed = await isWanted(options, () => confirm(`Send it to ${mailbox.module}?`));
    if (!agreed) {
      return sayUnsent(out, summary, dead.shownBody({ ...letter, body: correction.body }, listened));
    }
    const removed = await dead.sendCorrection(sqs, found, correction);
    if (options.file === undefined) dead.removeDraft(draft);
    return saySent(out, { ...summary, removed });
  },
});

/** Whoever names a file wants it sent; what comes out of an editor is asked about. */
async function isWanted(
  { file, dryRun }: { readonly file: string | undefined; readonly dryRun: boolean },
  ask: () => Promise<boolean>,
): Promise<boolean> {
  if (dryRun) return false;
  return file !== undefined || ask();
}

function sayWritten(
  out: Output,
  written: { readonly file: string; readonly letter: string; readonly send: string },
): void {
  out.result(written, ({ file, send }) => [`Wrote ${file}. Correct it, then:`, send]);
}

function sayUnsent(out: Output, summary: { readonly module: string }, event: string): void {
  out.result({ dryRun: true, ...summary, event: JSON.parse(event) }, ({ module }) => [
    `The event fits what ${module} listens to. Nothing was sent.`,
    event,
  ]);
}

interface Sent {
  readonly module: string;
  readonly id: string;
  readonly causationId: string;
  /** Whether the letter could be removed. */
  readonly removed: boolean;
}

function saySent(out: Output, sent: Sent): number {
  out.result({ dryRun: false, ...sent }, ({ module, id, causationId, removed }) => [
    `Sent to ${module} as ${id}, caused by ${causationId}.`,
    ...(removed ? [] : ['The letter could not be removed: npx headrace dlq discard does it.']),
  ]);
  return sent.removed ? 0 : 1;
}
