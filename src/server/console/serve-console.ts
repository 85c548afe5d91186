import { consoleFiles, type ConsoleFile } from './console-files.ts';
import { consolePolicy } from './console-policy.ts';
import { notBuilt } from './not-built.ts';

/** The console, as the server hands it out. Its files hold no data: nobody needs a key for them. */
export interface ConsolePages {
  /** Null for what is neither a file of the console nor an address that a person goes to. */
  answer(request: Request): Promise<Response | null>;
}

/** Where programs are answered, and people are not shown a page. */
const others = /^\/(?:api|v1|docs|openapi\.json|healthz|readyz|metrics|assets)(?:\/|$)/i;
const namesFile = /\.[a-z]\w*$/i;

export async function openConsole(folder: string): Promise<ConsolePages> {
  const files = await consoleFiles(folder);

  return {
    async answer(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null;
      const { pathname } = new URL(request.url);
      const file = await files?.open(pathname);
      if (file) return sent(file, request, pathname.startsWith('/assets/') ? forever : asked);
      if (!isVisited(pathname, request)) return null;
      const page = await files?.open('/index.html');
      return page ? sent(page, request, asked) : notBuilt();
    },
  };
}

/** The names of assets hold a hash of what is in them. */
const forever = 'public, max-age=31536000, immutable';
const asked = 'no-cache';

/** A browser goes there: every address is the one page, which shows what the address says. */
function isVisited(pathname: string, { headers }: Request): boolean {
  return (
    (headers.get('accept') ?? '').toLowerCase().includes('text/html') &&
    !others.test(pathname) &&
    !namesFile.test(pathname)
  );
}

async function sent({ type, tag, content }: ConsoleFile, request: Request, caching: string): Promise<Response> {
  const { body, coding } = await content.for(request.headers.get('accept-encoding'));
  const etag = `"${tag}${coding === null ? '' : `-${coding}`}"`;
  const headers = { 'content-security-policy': consolePolicy, 'cache-control': caching, etag, vary: 'Accept-Encoding' };
  if (isKnown(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': type,
      'content-length': String(body.length),
      ...(coding === null ? {} : { 'content-encoding': coding }),
    },
  });
}

function isKnown(etag: string, known: string | null): boolean {
  return (
    known !== null && known.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
  );
}
