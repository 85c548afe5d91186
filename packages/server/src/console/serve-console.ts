import { html } from '@agonhq/engine/reports';
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { readPagePolicy } from '../auth/security-headers.ts';
import { codings, type Coding, createCompressible, type Compressible } from '../http/compression.ts';

/** A file of the console as it is sent. */
interface ConsoleFile {
  type: string;
  /** Changes with its bytes. */
  tag: string;
  /** What it may do in a browser. */
  policy: string;
  content: Compressible;
}

/**
 * The files of the console by the path of their address (`/assets/index-4f1c.js`): those that were there at the
 * start, and no others.
 */
interface ConsoleFiles {
  /** Read when it is first asked for, and kept; null when there is none, or it has gone since. */
  findFile(pathname: string): Promise<ConsoleFile | null>;
}

const endings: Record<Coding, string> = { br: '.br', gzip: '.gz' };

/** `prefix`: what stands before their names in their addresses. None where the folder was not built. */
async function openConsoleFiles(folder: string, prefix = ''): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).split(path.sep).join('/'));
  const listed = new Set(names);
  const isPackedOne = (name: string) =>
    Object.values(endings).some((ending) => name.endsWith(ending) && listed.has(name.slice(0, -ending.length)));
  const places = new Map(names.filter((name) => !isPackedOne(name)).map((name) => [`${prefix}/${name}`, name]));
  const opened = new Map<string, Promise<ConsoleFile | null>>();

  async function read(name: string): Promise<ConsoleFile | null> {
    try {
      const bytes = await readFile(path.join(folder, name));
      const ready = codings
        .filter((coding) => listed.has(`${name}${endings[coding]}`))
        .map(async (coding) => [coding, await readFile(path.join(folder, `${name}${endings[coding]}`))] as const);
      return {
        type: getMimeType(name) ?? 'application/octet-stream',
        tag: hash('sha256', bytes, 'base64url').slice(0, 22),
        // A page beside the console, which checks bundles, says by itself what it may do.
        policy: /(?<!^index)\.html$/.test(name) ? readPagePolicy(bytes.toString()) : consolePolicy,
        content: createCompressible(bytes, Object.fromEntries(await Promise.all(ready))),
      };
    } catch {
      opened.delete(name);
      return null;
    }
  }

  return {
    async findFile(pathname) {
      const name = places.get(pathname);
      if (name === undefined) return null;
      const known = opened.get(name);
      if (known) return known;
      const reading = read(name);
      opened.set(name, reading);
      return reading;
    },
  };
}

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
  "media-src 'self' blob:",
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

/** `folder`: where the built console lies; null where the part is not installed. `docs`: what /docs loads. */
export async function openConsole(folder: string | null, docs: string): Promise<ConsolePages> {
  const files = folder === null ? null : await openConsoleFiles(folder);
  const docsFiles = await openConsoleFiles(docs, '/docs');

  return {
    async serve(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null;
      const { pathname } = new URL(request.url);
      const file = (await docsFiles.findFile(pathname)) ?? (await files?.findFile(pathname));
      if (file) return sendFile(file, request, pathname.startsWith('/assets/') ? forever : revalidate);
      if (!isPageVisit(pathname, request)) return null;
      const page = await files?.findFile('/index.html');
      return page ? sendFile(page, request, revalidate) : renderMissing(folder);
    },
  };
}

/** The names of assets hold a hash of what is in them. */
const forever = 'public, max-age=31536000, immutable';
const revalidate = 'no-cache';

/**
 * A browser goes there: every address is the one page, which shows what the address says. Whoever takes anything is
 * shown it at the root alone; elsewhere a program that lost its way is told so.
 */
function isPageVisit(pathname: string, { headers }: Request): boolean {
  const accepted = (headers.get('accept') ?? '*/*').toLowerCase();
  if (pathname === '/' && accepted.includes('*/*')) return true;
  return accepted.includes('text/html') && !programPaths.test(pathname) && !namesFile.test(pathname);
}

async function sendFile(file: ConsoleFile, request: Request, caching: string): Promise<Response> {
  const { type, tag, policy, content } = file;
  const { body, coding } = await content.for(request.headers.get('accept-encoding'));
  const etag = `"${tag}${coding === null ? '' : `-${coding}`}"`;
  const headers = { 'content-security-policy': policy, 'cache-control': caching, etag, vary: 'Accept-Encoding' };
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

/** What is shown where the console is not installed, or a checkout of the source was not built. */
function renderMissing(folder: string | null): Response {
  const [title, command] = folder === null ? ['not installed', 'agon add console'] : ['not built', 'npm run build'];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Agon</title>
      </head>
      <body>
        <h1>The console is ${title}</h1>
        <p>Run <code>${command}</code> where Agon lies, then start the server again.</p>
        <p>The server itself answers: <a href="/docs">what it can be asked</a>.</p>
      </body>
    </html> `;
  return new Response(page.source, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
