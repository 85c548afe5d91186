import { openConsoleFiles, type ConsoleFile } from './console-files.ts';
import { html } from '../../reports/index.ts';

/**
 * What the console may do: run its own scripts and workers, look as it does, and ask the server that it came from.
 * PDFs need no WebAssembly: what pdfjs does with it, it does in JavaScript where there is none. Workers have the
 * policy of their own file.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The console, as the server hands it out. Its files hold no data: nobody needs a key for them. */
export interface ConsolePages {
  /** Null for what is neither a file of the console nor an address that a person goes to. */
  serve(request: Request): Promise<Response | null>;
}

/** Where programs are answered, and people are not shown a page. */
const programPaths = /^\/(?:api|v1|docs|openapi\.json|healthz|readyz|metrics|assets)(?:\/|$)/i;
const namesFile = /\.[a-z]\w*$/i;

export async function openConsole(folder: string): Promise<ConsolePages> {
  const files = await openConsoleFiles(folder);

  return {
    async serve(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null;
      const { pathname } = new URL(request.url);
      const file = await files?.findFile(pathname);
      if (file) return sendFile(file, request, pathname.startsWith('/assets/') ? forever : revalidate);
      if (!isPageVisit(pathname, request)) return null;
      const page = await files?.findFile('/index.html');
      return page ? sendFile(page, request, revalidate) : renderNotBuilt();
    },
  };
}

/** The names of assets hold a hash of what is in them. */
const forever = 'public, max-age=31536000, immutable';
const revalidate = 'no-cache';

/** A browser goes there: every address is the one page, which shows what the address says. */
function isPageVisit(pathname: string, { headers }: Request): boolean {
  return (
    (headers.get('accept') ?? '').toLowerCase().includes('text/html') &&
    !programPaths.test(pathname) &&
    !namesFile.test(pathname)
  );
}

async function sendFile({ type, tag, content }: ConsoleFile, request: Request, caching: string): Promise<Response> {
  const { body, coding } = await content.for(request.headers.get('accept-encoding'));
  const etag = `"${tag}${coding === null ? '' : `-${coding}`}"`;
  const headers = { 'content-security-policy': consolePolicy, 'cache-control': caching, etag, vary: 'Accept-Encoding' };
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': type,
      'content-length': String(body.length),
      ...(coding === null ? {} : { 'content-encoding': coding }),
    },
  });
}

function matchesEtag(etag: string, known: string | null): boolean {
  return (
    known !== null && known.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
  );
}

/** What is shown where the console was not built: a checkout of the source. */
function renderNotBuilt(): Response {
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
