import { showControls } from '../view/index.ts';

/** A piece of page that is safe to show: only `html` and the functions of this file make it. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type Part = Markup | string | number | null | undefined | false | readonly Part[];

/**
 * Markup in which every interpolated string is escaped, as text or as an attribute's value in quotes.
 *
 * @example html`<p title="${untrusted}">${inline(untrusted)}</p>`
 */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(literals.reduce((page, literal, index) => page + sourceOf(parts[index - 1]) + literal));
}

function sourceOf(part: Part): string {
  if (part instanceof Markup) return part.source;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeCharacters(showControls(part, (name) => `[${name}]`));
  return part ? part.map(sourceOf).join('') : '';
}

/** Untrusted text with its controls as chips. Lay it out with `inline` or `block`, which keep its direction apart. */
export function withChips(text: string): Markup {
  return new Markup(showControls(escapeCharacters(text), (name) => `<span class="control">${name}</span>`));
}

/** Untrusted text within a line of ours: its language and its direction are its own. */
export function inline(text: string): Markup {
  return html`<bdi lang="">${withChips(text)}</bdi>`;
}

/** Untrusted text as a block, its line breaks kept. */
export function block(text: string): Markup {
  return html`<div class="prose" dir="auto" lang="">${withChips(text)}</div>`;
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
