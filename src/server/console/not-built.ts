import { html } from '../../reports/index.ts';

/** What is shown where the console was not built: a checkout of the source. */
export function notBuilt(): Response {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Agon</title>
      </head>
      <body>
        <h1>The console is not built</h1>
        <p>Run <code>npm run build</code> where Agon’s source lies, then start the server again.</p>
        <p>The server itself answers: <a href="/docs">what it can be asked</a>.</p>
      </body>
    </html> `;
  return new Response(page.source, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
