/** Markup that is already safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text and numbers are escaped, markup and lists of it are kept, nothing is left out. */
export type Piece = string | number | Html | undefined | readonly Piece[];

/** A template of markup: html`<b>${anything}</b>` escapes whatever is not markup itself. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, string, i) => text + render(pieces[i - 1]) + string));
}

function render(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(render).join('');
  return String(piece).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
