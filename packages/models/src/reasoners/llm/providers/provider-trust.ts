import ipaddr from 'ipaddr.js';
import type { ProviderSettings } from './settings.ts';

/** What a provider is trusted with. */
export interface ProviderTrust {
  /** Who gets what is sent. */
  host: string;
  /** On this machine, on a network of one's own, or anywhere. */
  place: 'here' | 'network' | 'internet';
  personalData: 'mask' | 'send';
  images: 'send' | 'withhold';
  recordings: 'send' | 'withhold';
}

/** What is not said follows from where a provider is: personal data stays on the machine and its own network. */
export function decideTrust(
  baseUrl: string,
  settings: Pick<ProviderSettings, 'personalData' | 'images' | 'recordings'> = {},
): ProviderTrust {
  const { hostname, protocol } = new URL(baseUrl);
  const place = protocol === 'local:' ? 'here' : placeOf(hostname);
  return {
    host: new URL(baseUrl).host,
    place,
    personalData: settings.personalData ?? (place === 'internet' ? 'mask' : 'send'),
    images: settings.images ?? 'send',
    recordings: settings.recordings ?? 'send',
  };
}

/** Names are not looked up: one that could be of the world is taken to be. */
function placeOf(hostname: string): ProviderTrust['place'] {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return 'here';
  if (ipaddr.isValid(name)) {
    const range = ipaddr.process(name).range();
    if (range === 'loopback') return 'here';
    return ['private', 'uniqueLocal', 'linkLocal'].includes(range) ? 'network' : 'internet';
  }
  // A name without a dot is one of a network of containers or of a house; these endings no public server has.
  return !name.includes('.') || /\.(?:local|internal|lan|home\.arpa)$/.test(name) ? 'network' : 'internet';
}
