import type { ModelCall } from '../debate/index.ts';

/**
 * A request as a command of the shell, for whoever has the key: it stands as `$NAME`, which the shell fills in. Null
 * where nothing was sent. What people and models wrote is quoted, so that no shell takes it for anything else.
 */
export function renderCurl({ request }: Pick<ModelCall, 'request'>): string | null {
  if (request === null) return null;
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoteHeader(name, value)}`);
  return [`curl ${quote(request.url)}`, ...headers, `--data-raw ${quote(JSON.stringify(request.body))}`].join(
    ' \\\n  ',
  );
}

/** What holds the place of a key, as our own record writes it, is the only thing that a shell may fill in. */
const keyPlace = /^(?:Bearer )?\$[A-Z0-9_]+$/;

function quoteHeader(name: string, value: string): string {
  return keyPlace.test(value) ? `"${name.replaceAll(/[^\w-]/g, '')}: ${value}"` : quote(`${name}: ${value}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
