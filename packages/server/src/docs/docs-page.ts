import { createHash } from 'node:crypto';
import { html, Markup, renderStyles } from '@agonhq/engine/reports';
import { listOperations, type OpenApi, type ShownOperation } from './open-api-types.ts';
import { renderOperation } from './operation-view.ts';
import { renderSchema, renderParagraphs, renderInline } from './schema-view.ts';
import { readAsset } from '@agonhq/engine/package-folder';

const script = readAsset('api-docs.js');
const style = renderStyles() + readAsset('api-docs.css');

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page may do: run its own script, look as it does, and ask the server that it came from. */
export const docsPolicy =
  `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; ` +
  "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** The API for people: a page without any outside script, that can be read without any at all. */
export function renderDocsPage(document: Record<string, unknown>): string {
  const api = document as unknown as OpenApi;
  const known = rendered.get(api.servers[0]!.url);
  if (known?.version === api.info.version) return known.page;
  const page = renderPage(api);
  // Whoever asks names the address: what is kept stays bounded.
  if (rendered.size >= mostKept) rendered.clear();
  rendered.set(api.servers[0]!.url, { version: api.info.version, page });
  return page;
}

const mostKept = 8;
const rendered = new Map<string, { version: string; page: string }>();

function renderPage(api: OpenApi): string {
  const operations = listOperations(api);
  const groups = api.tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ tags }) => tags[0] === name),
  }));
  const origin = api.servers[0]!.url;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <title>${api.info.title} API ${api.info.version}</title>
        ${new Markup(`<style>${style}</style>`)}
      </head>
      <body>
        <a class="skip" href="#content">To the operations</a>
        <div class="layout">
          <nav class="side-list" aria-label="Operations">
            <b class="name">${api.info.title}</b> <span class="small">API ${api.info.version}</span>
            <label class="field" hidden
              ><span>Filter</span
              ><input id="filter" type="search" autocomplete="off" placeholder="cases, GET, report …"
            /></label>
            <p id="found" class="small" role="status"></p>
            <div class="groups">
              ${groups.map(
                ({ name, operations: listed }) =>
                  html`<div data-group>
                    <h2>${name}</h2>
                    <ul>
                      ${listed.map(renderSideEntry)}
                    </ul>
                  </div>`,
              )}
            </div>
          </nav>
          <main id="content">
            <h1>${api.info.title} API</h1>
            <div class="guide">
              ${renderParagraphs(api.info.description)}
              <p>The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
            </div>
            <form id="key-form">
              <label class="field" hidden
                ><span>Key for “Try it”</span
                ><input
                  id="key"
                  type="password"
                  autocomplete="off"
                  spellcheck="false"
                  aria-describedby="key-note"
                /><span id="key-note" class="small"
                  >Kept in this page only, until it is closed. None is needed where the server asks for none.</span
                ></label
              >
            </form>
            ${groups.map(
              ({ name, description, operations: shown }) =>
                html`<section class="chapter" data-group aria-labelledby="group-${name}">
                  <h2 id="group-${name}">${name}</h2>
                  <p class="small">${renderInline(description)}</p>
                  ${shown.map((operation) => renderOperation(operation, api.components.schemas, origin))}
                </section>`,
            )}
            <section class="chapter schemas" aria-labelledby="group-schemas">
              <h2 id="group-schemas">Schemas</h2>
              <p class="small">What requests and answers are made of.</p>
              ${Object.entries(api.components.schemas).map(
                ([name, schema]) =>
                  html`<article id="schema-${name}">
                    <h3><a class="anchor" href="#schema-${name}">${name}</a></h3>
                    ${schema.description && html`<p>${renderInline(schema.description)}</p>`}
                    ${renderSchema({ ...schema, description: '' }, `The members of ${name}`, { marks: 'optional' })}
                  </article>`,
              )}
            </section>
          </main>
        </div>
        ${new Markup(`<script>${script}</script>`)}
      </body>
    </html> `.source;
}

function renderSideEntry({ operationId, method, path, summary }: ShownOperation): Markup {
  return html`<li data-words="${`${operationId} ${method} ${path} ${summary}`.toLowerCase()}">
    <a href="#${operationId}"
      ><span class="method ${method.toLowerCase()}">${method}</span> <span>${operationId.split('.')[1]}</span></a
    >
  </li>`;
}
