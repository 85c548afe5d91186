import { createHash } from 'node:crypto';
import { html, Markup, type HtmlPart } from './escape.ts';
import { renderStyles } from './styles.ts';

/**
 * A whole page in one file: it asks nothing of the network and runs no script but the one given, and its own policy
 * forbids anything else. The script is named by its hash, so that no formatter may lay it out. `ownStyles` and
 * `ownScript` are what only this page needs; neither may hold anything untrusted.
 */
export function page(title: string, body: HtmlPart, ownStyles = '', ownScript = ''): string {
  const allowed = ownScript && ` script-src 'sha256-${createHash('sha256').update(ownScript).digest('base64')}';`;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none';${new Markup(allowed)} style-src 'unsafe-inline'; img-src data:"
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${new Markup(`<style>${renderStyles()}${ownStyles}</style>`)}
      </head>
      <body>
        ${body}${ownScript && new Markup(`<script>${ownScript}</script>`)}
      </body>
    </html> `;
  return document.source;
}
