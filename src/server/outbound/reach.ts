import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { hostOf, privateAddress } from './untrusted-url.ts';

export interface Address {
  address: string;
  family: 4 | 6;
}

/** The addresses of a name; none when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly Address[]>;

/** Asks the name servers. Not the system: that would keep one of its few threads busy for each name that is slow. */
export const askNameServers =
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
export async function publicAddresses(url: URL, resolve: Resolve, signal: AbortSignal): Promise<readonly Address[]> {
  const host = hostOf(url);
  const family = isIP(host) as 0 | 4 | 6;
  const found = family === 0 ? await resolve(host, signal) : [{ address: host, family }];
  if (!found.every(({ address }) => isPublicAddress(address))) throw privateAddress();
  return found;
}

/** A connection is made to the very addresses that were checked: a name that has changed since changes nothing. */
export function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all) answer(null, [...addresses]);
    else answer(null, first!.address, first!.family);
  };
}
