import { command } from '../command';

/** More than these are told as one line. */
const LISTED = 10;

export const upload = command({
  name: 'upload',
  summary: 'Put files into a store',
  details:
    'A folder is uploaded with everything in it. Every manifest.json comes last: it is what makes a batch a fact, and by then the files it names are there.',
  args: {
    store: { summary: 'name of the store; npx headrace doctor lists them' },
    path: { summary: 'a file or a folder' },
    key: {
      summary: 'key in the store, for a folder its prefix (default: the name of the file or folder)',
      optional: true,
    },
  },
  options: { dryRun: { kind: 'flag', summary: 'say what would be uploaded where, upload nothing' } },
  examples: [
    'npx headrace upload datasets my-batch inbox/my-batch',
    'npx headrace upload datasets digit.png requests/digit.png',
    'npx headrace upload datasets my-batch --dry-run',
  ],
  async run({ args, options, out, cwd, connect }) {
    const { resolve } = require('node:path') as typeof import('node:path');
    const { bucketOf, planUpload, upload: put } = require('../upload') as typeof import('../upload');
    const { S3Store } = require('../../runtime/store') as typeof import('../../runtime/store');
    const plan = planUpload(resolve(cwd, args.path), args.key);
    const { clients, outputs } = await connect();
    const store = new S3Store(clients.s3, bucketOf(args.store, outputs));
    const uris = plan.map(({ key }) => store.uri(key));
    if (options.dryRun) {
      out.result({ dryRun: true, uris }, () => [...uris, out.style.dim('Nothing was uploaded.')]);
      return;
    }
    await put(store, plan, (done) => {
      if (done % LISTED === 0) out.progress(`uploaded ${done} of ${plan.length}`);
    });
    out.result({ uris }, () =>
      uris.length <= LISTED ? uris : [`${uris.length} files, the last of them ${uris.at(-1)}`],
    );
  },
});
