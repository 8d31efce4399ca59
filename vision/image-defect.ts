/** Why a sample cannot be used. */
export type DefectCode =
  | 'truncated'
  | 'corrupt'
  | 'blank'
  | 'duplicate'
  | 'impossible-label'
  | 'missing-label'
  | 'wrong-size'
  | 'too-large';

/** A picture or label that cannot be used, and why. */
export class ImageDefect extends Error {
  override readonly name = 'ImageDefect';
  readonly code: DefectCode;

  constructor(code: DefectCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
