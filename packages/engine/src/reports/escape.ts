import { showControls } from '../view/index.ts';

/** A piece of page that is safe to show: only `html` makes it. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type HtmlPart = Markup | string | number | null | undefined | false | readonly HtmlPart[];

/**
 * Markup in which every interpolated string is escaped, as text or as an attribute's value in quotes, and its controls
 * are named.
 *
 * @example html`<p title="${untrusted}">${untrusted}</p>`
 */
export function html(literals: TemplateStringsArray, ...parts: HtmlPart[]): Markup {
  return new Markup(literals.map((literal, index) => sourceOf(parts[index - 1]) + literal).join(''));
}

function sourceOf(part: HtmlPart): string {
  if (part instanceof Markup) return part.source;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeCharacters(showControls(part, (name) => `[${name}]`));
  return part ? part.map(sourceOf).join('') : '';
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\r': '&#13;',
};

/* A lone carriage return becomes a control to be shown; only the one before a line feed stays a character. */
function escapeCharacters(text: string): string {
  return text.replace(/[&<>"'`]|\r(?=\n)/g, (character) => entities[character]!);
}
