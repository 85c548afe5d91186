import { isIP, isIPv4 } from 'node:net';
import { AgonError } from '@agonhq/engine/agon-error';

/* A page elsewhere can point its own name at this machine (DNS rebinding); its requests then name it as their host. */

interface HostName {
  /** In lower case; an IPv6 address without its brackets. */
  name: string;
  port: string | null;
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** Null for what is no host. */
function readHost(text: string): HostName | null {
  const found = hostPattern.exec(text.toLowerCase());
  if (!found) return null;
  const name = found[1]!.replace(/^\[(.*)\]$/, '$1');
  if (found[1]!.startsWith('[') && isIP(name) !== 6) return null;
  return { name, port: found[2] ?? null };
}

const wildcards = new Set(['0.0.0.0', '::', '']);

/** Throws (`bad-host`) unless a request names the server by its address or by a name that is allowed. */
export function createHostCheck({
  host,
  allowedHosts,
}: {
  host: string;
  allowedHosts: readonly string[];
}): (given: string | null) => void {
  const bound = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const everywhere = wildcards.has(bound);
  const rules = allowedHosts.map(readHostRule);
  const isAllowed = ({ name, port }: HostName) =>
    name === bound ||
    (isLoopback(name) && (everywhere || isLoopback(bound))) ||
    // An address needs no name server, so that nobody can have moved it.
    (everywhere && isIP(name) !== 0) ||
    rules.some((rule) => rule(name, port));

  return (given) => {
    const read = given === null ? null : readHost(given);
    if (read && isAllowed(read)) return;
    throw new AgonError(
      'bad-host',
      given === null ? 'The request does not say which host it is for.' : 'The server is not reached by this name.',
      'Use its address, or name the host in server.allowedHosts (AGON_ALLOWED_HOSTS).',
    );
  };
}

type Rule = (name: string, port: string | null) => boolean;

/** `example.com`, `example.com:8443`, `*.example.com`. */
function readHostRule(allowed: string): Rule {
  const subdomains = allowed.startsWith('*.');
  const host =
    isIP(allowed) === 6
      ? { name: allowed.toLowerCase(), port: null }
      : readHost(subdomains ? allowed.slice(2) : allowed);
  if (!host)
    throw new AgonError(
      'bad-host-name',
      `server.allowedHosts has ${JSON.stringify(allowed)}, which is no host.`,
      'Write example.com, example.com:8443 or *.example.com, without https://.',
    );
  const { name: wanted, port: wantedPort } = host;
  return (name, port) =>
    (wantedPort === null || wantedPort === port) && (subdomains ? name.endsWith(`.${wanted}`) : name === wanted);
}

/** Whether a name in the settings means another machine's view of this one: a proxy in front of it. */
export function isBehindProxy(allowed: string): boolean {
  return !isLoopback(readHost(allowed)?.name ?? allowed);
}

/** Whether an address or a name means this machine, and nothing but it. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
