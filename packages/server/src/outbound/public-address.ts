import ipaddr from 'ipaddr.js';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { AgonError } from '@agonhq/engine/agon-error';

/** Ports that a request may make the server knock at. */
const ports = new Set(['', '80', '443']);

/** Names that mean this machine or its network, whatever a name server says. */
const nearbyEndings =
  'localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|invalid|onion|home\\.arpa';
const nearby = new RegExp(`^(?:[^.]+|.+\\.(?:${nearbyEndings}))$`);

/**
 * A URL that came with a request: http or https, without credentials, at the usual ports. Throws `bad-url`, or
 * `private-address` where the name alone tells.
 */
export function readUntrustedUrl(words: string, { protocols }: { protocols: readonly ('http:' | 'https:')[] }): URL {
  if (!URL.canParse(words)) throw badUrl('is no URL');
  const url = new URL(words);
  if (!protocols.includes(url.protocol as 'http:'))
    throw badUrl(`is not ${protocols.map((each) => each.slice(0, -1)).join(' or ')}`);
  if (url.username !== '' || url.password !== '') throw badUrl('carries a name or a password');
  if (!ports.has(url.port)) throw badUrl('names a port other than 80 and 443');
  url.hostname = url.hostname.replace(/(?<!\.)\.+$/, '');
  if (isIP(readHostName(url)) === 0 && nearby.test(readHostName(url))) throw privateAddress();
  return url;
}

/** The host without the brackets of an IPv6 address. */
function readHostName({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Says neither which address nor whether anybody answers there. */
function privateAddress(): AgonError {
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

export interface Address {
  address: string;
  family: 4 | 6;
}

/** The addresses of a name; none when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly Address[]>;

/** Asks the name servers. Not the system: that would keep one of its few threads busy for each name that is slow. */
export const createResolver =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const giveUp = () => resolver.cancel();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      signal.throwIfAborted();
      return [
        ...(four.status === 'fulfilled' ? four.value.map((address): Address => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address): Address => ({ address, family: 6 })) : []),
      ];
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };

/**
 * Where a URL leads: every address of its host, all of them public; else it throws `private-address`. Empty when the
 * host has none.
 */
export async function resolvePublicAddresses(
  url: URL,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  const host = readHostName(url);
  const family = isIP(host) as 0 | 4 | 6;
  const found = family === 0 ? await resolve(host, signal) : [{ address: host, family }];
  if (!found.every(({ address }) => isPublicAddress(address))) throw privateAddress();
  return found;
}

/** A connection is made to the very addresses that were checked: a name that has changed since changes nothing. */
export function pinAddresses(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all) answer(null, [...addresses]);
    else answer(null, first!.address, first!.family);
  };
}

/** Reached from within a cloud only, though their numbers look public: Azure's WireServer. */
const withinClouds = new Set(['168.63.129.16']);

/** Whether an IP address belongs to the public internet; anything that is not surely so does not. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  // Only four decimal parts: what else the parser would take (0x7f.1, 0177.1) has been spelled out by the URL.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublic4(ipaddr.IPv4.parse(address));
  return ipaddr.IPv6.isValid(address) && isPublic6(ipaddr.IPv6.parse(address));
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !withinClouds.has(address.toString());
}

/** An address that carries one of IPv4 is as public as that one; tunnels (6to4, Teredo …) lead where nobody knows. */
function isPublic6(address: ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === 'ipv4Mapped' || (range === 'rfc6052' && address.match(nat64)))
    return isPublic4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return range === 'unicast' && address.match(globalUnicast);
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All that was ever given out (RFC 4291): what lies outside is not routed, or carries something else. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
