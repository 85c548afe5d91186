import { isIP } from 'node:net';
import { AgonError } from '../../errors.ts';

/** Ports that a request may make the server knock at. */
const ports = new Set(['', '80', '443']);

/** Names that mean this machine or its network, whatever a name server says. */
const nearby =
  /^(?:[^.]+|.+\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|invalid|onion|home\.arpa))$/;

/**
 * A URL that came with a request: http or https, without credentials, at the usual ports. Throws `bad-url`, or
 * `private-address` where the name alone tells.
 */
export function untrustedUrl(words: string, { protocols }: { protocols: readonly ('http:' | 'https:')[] }): URL {
  if (!URL.canParse(words)) throw badUrl('is no URL');
  const url = new URL(words);
  if (!protocols.includes(url.protocol as 'http:'))
    throw badUrl(`is not ${protocols.map((each) => each.slice(0, -1)).join(' or ')}`);
  if (url.username !== '' || url.password !== '') throw badUrl('carries a name or a password');
  if (!ports.has(url.port)) throw badUrl('names a port other than 80 and 443');
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (isIP(hostOf(url)) === 0 && nearby.test(hostOf(url))) throw privateAddress();
  return url;
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Says neither which address nor whether anybody answers there. */
export function privateAddress(): AgonError {
  return new AgonError(
    'private-address',
    'The URL leads to an address that is not public.',
    'Give one on the public internet; what is in your own network can be sent itself, or be a webhook in the ' +
      'configuration file.',
  );
}

function badUrl(why: string): AgonError {
  return new AgonError('bad-url', `The URL ${why}.`, 'Give one like https://example.com/path.');
}
