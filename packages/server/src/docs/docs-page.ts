import { html } from '@agonhq/engine/reports';

/**
 * The API for people: Swagger UI shows /openapi.json. What the page loads lies where the build puts it (dist/docs),
 * and the server hands it out beside the console.
 */
export const docsPage = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta
        http-equiv="Content-Security-Policy"
        content="script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'"
      />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <link rel="icon" href="data:," />
      <title>Agon API</title>
      <link rel="stylesheet" href="/docs/swagger-ui.css" />
      <link rel="stylesheet" href="/docs/api-docs.css" />
      <script src="/docs/swagger-ui-bundle.js" defer></script>
      <script src="/docs/api-docs.js" defer></script>
    </head>
    <body>
      <main id="docs"></main>
      <noscript>Without scripts, read <a href="/openapi.json">openapi.json</a>.</noscript>
    </body>
  </html>`.source;
