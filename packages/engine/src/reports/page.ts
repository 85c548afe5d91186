import { html, Markup, type HtmlPart } from './escape.ts';
import { renderStyles } from './styles.ts';

/** A whole page in one file: it asks nothing of the network and runs nothing, and its own policy forbids all else. */
export function page(title: string, body: HtmlPart): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${new Markup(`<style>${renderStyles()}</style>`)}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `.source;
}

/** A table that scrolls by itself where the page is narrow; all columns but the first hold numbers. */
export function table(label: string, head: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${head.map((cell, column) => html`<th scope="col" ${column > 0 && new Markup(' class="number"')}>${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...cells]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
