import { NonRetriable } from 'headrace/contract';

/** Longest batch name made of an image's name, characters: keys made of it have to stay below S3's 1,024 bytes. */
const MAX_BATCH = 80;

/** What an upload's key says it is. */
export type Upload =
  | { readonly kind: 'manifest'; readonly dataset: string }
  | {
      readonly kind: 'image';
      readonly dataset: string;
      readonly name: string;
      readonly batch: string;
      readonly label: string;
    }
  | { readonly kind: 'question'; readonly dataset: string; readonly name: string };

/**
 * Reads `inbox/<dataset>/<batch>/manifest.json`, `inbox/<dataset>/images/<label>/<name>.png` and
 * `inbox/<dataset>/images/unlabelled/<name>.png`.
 *
 * @throws NonRetriable for any other key
 */
export function readUpload(key: string): Upload {
  const [inbox, dataset = '', folder = '', label = '', file = '', ...rest] = key.split('/');
  const known = inbox === 'inbox';
  if (known && label === 'manifest.json' && file === '') return { kind: 'manifest', dataset };
  if (known && folder === 'images' && file.endsWith('.png') && rest.length === 0) {
    const name = file.slice(0, -'.png'.length);
    if (label === 'unlabelled') return { kind: 'question', dataset, name };
    const readable = `single-${label}-${name}`.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');
    const batch = readable.slice(0, MAX_BATCH);
    return { kind: 'image', dataset, name, batch, label };
  }
  throw new NonRetriable(
    `The upload ${key} is neither a manifest nor an image. Allowed: inbox/<dataset>/<batch>/manifest.json, inbox/<dataset>/images/<label>/<name>.png, inbox/<dataset>/images/unlabelled/<name>.png.`,
  );
}
