import { CreateFunctionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { LocalTarget } from '../../../lib/target';

/**
 * A program that owns a local target: starts it, prints what it got as one JSON line, and lives on until killed.
 * Arguments: root, `keep` or `bound`, and optionally how many seconds a function and its own child are to be busy.
 */

/** A zip of one file: spawn `sleep <seconds>` in a session of its own, then stay busy for a minute. */
const BUSY_HANDLER =
  'UEsDBBQAAAAIAAAAIQAsypVukgAAALAAAAAJAAAAaW5kZXgubWpzLY6xCsIwFEV3vyJbEsgoDi3tNzi4iUhIrjbQ5pW8V6qU/LsVXe85HG6aZiqy8ezXXB+FJp0poglDGuN9LhTArFu8vpYKlFnU4HMcUTrP7xzMxtjnyNV2/S9jNI/ArN31j25uixAfBsRGygLHEhM1Oj0zFehqW7/6JCpjVef9QmKY0vUMuaQJtIgp7oSjtbU9fABQSwECFAMUAAAACAAAACEALMqVbpIAAACwAAAACQAAAAAAAAAAAAAAgAEAAAAAaW5kZXgubWpzUEsFBgAAAAABAAEANwAAALkAAAAAAA==';

async function keepBusy(target: LocalTarget, seconds: string): Promise<void> {
  const lambda = new LambdaClient(target.clientConfig());
  await lambda.send(
    new CreateFunctionCommand({
      FunctionName: 'busy',
      Runtime: 'nodejs22.x',
      Handler: 'index.handler',
      Role: 'arn:aws:iam::000000000000:role/none',
      Timeout: 120,
      Code: { ZipFile: Buffer.from(BUSY_HANDLER, 'base64') },
    }),
  );
  const Payload = Buffer.from(JSON.stringify({ seconds }));
  await lambda.send(new InvokeCommand({ FunctionName: 'busy', InvocationType: 'Event', Payload }));
}

async function main(): Promise<void> {
  const [root = '', mode, busySeconds] = process.argv.slice(2);
  const messages: string[] = [];
  const target = new LocalTarget({ root, keepAlive: mode === 'keep' });
  await target.start({ onProgress: (message) => messages.push(message) });
  if (busySeconds) await keepBusy(target, busySeconds);
  console.log(JSON.stringify({ endpoint: target.endpoint, startedHere: target.startedHere, messages }));
  setInterval(() => undefined, 1_000_000);
}

main().catch((error: unknown) => {
  console.log(JSON.stringify({ error: String(error) }));
  process.exitCode = 1;
});
