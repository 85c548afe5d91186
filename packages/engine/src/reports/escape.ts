import { showControls } from '../view/index.ts';

/** A piece of page that is safe to show: only `html` and the functions of this file make it. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type HtmlPart = Markup | string | number | null | undefined | false | readonly HtmlPart[];

/**
 * Markup in which every interpolated string is escaped, as text or as an attribute's value in quotes. Templates are
 * laid out by the formatter: line breaks beside blocks and within tags are not part of the page, others are a space.
 *
 * @example html`<p title="${untrusted}">${inline(untrusted)}</p>`
 */
export function html(literals: TemplateStringsArray, ...parts: HtmlPart[]): Markup {
  let page = '';
  for (const [index, literal] of joinLines(literals).entries()) {
    const part = sourceOf(parts[index - 1]);
    // An attribute that is not there leaves no space.
    page = part === '' && /^\/?>/.test(literal) ? page.trimEnd() + literal : page + part + literal;
  }
  return new Markup(page);
}

const joined = new WeakMap<TemplateStringsArray, readonly string[]>();
const mark = '\0';
const blockTag =
  '</?(?:html|head|body|meta|link|title|header|footer|main|nav|section|article|aside|div|p|h[1-6]|ul|ol|li|dl|dt|dd|' +
  'table|caption|colgroup|col|thead|tbody|tfoot|tr|th|td|figure|figcaption|details|summary|form|fieldset|hr|svg|g|' +
  'desc|text)(?=[\\s>/])';
// Bounded: all of these read templates of our own.
const betweenBlocks = new RegExp(`(${blockTag}[^<>]*>)\\s*\\n\\s*(?=${blockTag})`, 'g');
// Bounded: the same.
const besideBlock = new RegExp(`(${blockTag}[^<>]*>)\\s*\\n\\s*|\\s*\\n\\s*(?=${blockTag})`, 'g');

/** Once for each template: where a style keeps white space, a line break of ours would show. */
function joinLines(literals: TemplateStringsArray): readonly string[] {
  let lines = joined.get(literals);
  if (!lines) {
    const whole = literals.join(mark);
    lines = /<(?:pre|script|style|textarea)\b/.test(whole)
      ? literals
      : whole
          // Bounded: the same.
          .replace(/(?<!\s)\s*\n\s*(?=\/?>)/g, '')
          .replace(betweenBlocks, '$1\r')
          .replace(besideBlock, '$1')
          .replace(/(?<!\s)\s*\n\s*/g, ' ')
          .replaceAll('\r', '\n')
          .split(mark);
    joined.set(literals, lines);
  }
  return lines;
}

function sourceOf(part: HtmlPart): string {
  if (part instanceof Markup) return part.source;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeCharacters(showControls(part, (name) => `[${name}]`));
  return part ? part.map(sourceOf).join('') : '';
}

/** Untrusted text with its controls as chips. Lay it out with `inline`, which keeps its direction apart. */
export function withChips(text: string): Markup {
  return new Markup(showControls(escapeCharacters(text), (name) => `<span class="control">${name}</span>`));
}

/** Untrusted text within a line of ours: its language and its direction are its own. */
export function inline(text: string): Markup {
  return html`<bdi lang="">${withChips(text)}</bdi>`;
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
