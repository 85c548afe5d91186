import { html, type Markup, type Part } from '../../reports/index.ts';

/** A line of our own with its `code` and **stress**. */
export function renderInline(text: string): Part {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) =>
      part.startsWith('`')
        ? html`<code>${part.slice(1, -1)}</code>`
        : part.startsWith('**')
          ? html`<b>${part.slice(2, -2)}</b>`
          : part,
    );
}

export function renderParagraphs(text: string): Markup[] {
  return text.split('\n\n').map((paragraph) => html`<p>${renderInline(paragraph)}</p>`);
}
