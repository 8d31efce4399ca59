/** A bug to plant: one place of the runtime's source, and what stands there instead. */
export interface Mutant {
  readonly name: string;
  /** In lib/runtime. */
  readonly file: string;
  /** Found there exactly once. */
  readonly find: string;
  readonly replacement: string;
}

/** Bugs that a runtime like this one could have. The simulator has to find each of them. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'no fencing: a worker that lost its lease writes all the same',
    file: 'ledger.ts',
    find: "'#status = :held AND fence = :fence'",
    replacement: "'#status = :held AND (fence = :fence OR fence > :fence)'",
  },
  {
    name: 'a running lease is taken',
    file: 'ledger.ts',
    find: `(#s = :leased AND \${free})`,
    replacement: `(#s = :leased AND (\${free} OR lease_until > :zero))`,
  },
  {
    name: 'marked done before the logic runs',
    file: 'work.ts',
    find: '    const drafts = declaredOnly(module, await delivery.logic(event, context));',
    replacement:
      '    await ledger.commit(lease, []);\n    const drafts = declaredOnly(module, await delivery.logic(event, context));',
  },
  {
    name: 'published before it is committed',
    file: 'work.ts',
    find: '    await ledger.commit(lease, outbox, replay',
    replacement:
      '    await sendOutbox({ ledger, consumer: module.name, workId: opened.workId }, outbox);\n    await ledger.commit(lease, outbox, replay',
  },
  {
    name: 'events that the bus refused are taken for sent',
    file: 'publish.ts',
    find: 'const refused = batch.filter((_, i) => Entries[i]?.ErrorCode !== undefined);',
    replacement: 'const refused = batch.filter((_, i) => Entries.length === 0 && i < 0);',
  },
  {
    name: 'a duplicate does not send what was left unsent',
    file: 'handle.ts',
    find: 'if (!sent && mayEmit(opened.replay)) await sendOutbox(',
    replacement: 'if (sent && outbox.length < 0) await sendOutbox(',
  },
  {
    name: 'noted as sent before it is sent',
    file: 'outbox.ts',
    find: '  await putEvents(',
    replacement: '  await ledger.markSent(consumer, workId);\n  await putEvents(',
  },
  {
    name: 'every attempt gives its events new ids',
    file: 'work.ts',
    find: 'id: deterministicId(module.name, opened.workId, index)',
    replacement: "id: platform().uuid() + (index < 0 ? deterministicId('', '', 0) : '')",
  },
  {
    name: 'results of once are not saved',
    file: 'context.ts',
    find: 'ledger.saveOnce(lease, Object.fromEntries(results))',
    replacement: 'undefined',
  },
  {
    name: 'once is saved before its effect is done',
    file: 'context.ts',
    find: '    const result = await runEffect(',
    replacement:
      '    await ledger.saveOnce(lease, { ...Object.fromEntries(results), [name]: null });\n    const result = await runEffect(',
  },
  {
    name: 'what failed is taken off the queue',
    file: 'consume.ts',
    find: 'batchItemFailures: failed.map(',
    replacement: 'batchItemFailures: failed.slice(failed.length).map(',
  },
  {
    name: 'throttling burns attempts',
    file: 'work.ts',
    find: 'ledger.release(lease, lease.attempts - 1)',
    replacement: 'ledger.release(lease, lease.attempts)',
  },
  {
    name: 'the next event of a subject is never let through',
    file: 'handle.ts',
    find: '(await order.advance(turn))',
    replacement: '(await order.leave(turn)) !== undefined',
  },
  {
    name: 'nobody waits for the turn of an event',
    file: 'handle.ts',
    find: "if (entered.state === 'early' || entered.state === 'busy') {",
    replacement: 'if (platform().now() < 0) {',
  },
  {
    name: 'bad events are deleted and not parked',
    file: 'dead-letter.ts',
    find: '  await client.send(\n    new SendMessageCommand({',
    replacement: '  if (letter.attempts > 0) return;\n  await client.send(\n    new SendMessageCommand({',
  },
  {
    name: 'a lease that ran out is never taken over',
    file: 'ledger.ts',
    find: "const OVER = 'lease_until < :now';",
    replacement: "const OVER = '(lease_until < :now AND lease_until = :zero)';",
  },
];

/** The source with the bug in it. @throws Error when its place is not there, or not just once */
export function plant({ name, file, find, replacement }: Mutant, source: string): string {
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`"${name}" needs its text once in lib/runtime/${file}, found ${places} times`);
  return source.replace(find, () => replacement);
}
