import ipaddr from 'ipaddr.js';
import { foundAt, type Found } from './found.ts';

/* Mail addresses, handles, network addresses, and the parts of links that name or admit somebody. */

const local = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/u;

/** From each @ to both sides: a pattern over the whole text would take the square of its length. */
export function findMails(text: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = local.exec(text.slice(Math.max(0, at - 64), at))?.[0].replace(/^[.'`*_/=?{|}~!#$%^&+-]+/, '');
    const after = domain.exec(text.slice(at + 1, at + 256))?.[0];
    if (!before || after === undefined || before.endsWith('.')) continue;
    // A login of a link, https://name@host, is found there; and @name@host is a handle.
    if (/:\/\/[^\s/]*$/.test(text.slice(Math.max(0, at - 200), at - before.length + 1))) continue;
    found.push(foundAt('mail', at - before.length, `${before}@${after}`));
  }
  return [...found, ...findSpelledMails(text)];
}

/** `name (at) host (dot) org`: people write so to be found by people alone. */
function findSpelledMails(text: string): Found[] {
  const spelled =
    /(?<![\w.])[\w.+-]{1,64} ?[[({<] ?at ?[\])}>] ?(?:[\w-]{1,63}(?: ?[[({<] ?(?:dot|punkt|point|punto) ?[\])}>] ?|\.)){1,5}[a-z]{2,24}\b/giu;
  return Array.from(text.matchAll(spelled), ({ 0: whole, index }) =>
    foundAt(
      'mail',
      index,
      whole,
      whole
        .toLowerCase()
        .replaceAll(/ ?[[({<] ?at ?[\])}>] ?/g, '@')
        .replaceAll(/ ?[[({<] ?\w+ ?[\])}>] ?/g, '.'),
    ),
  );
}

const handle =
  /(?<![\p{L}\p{N}_.@+-])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,38}[\p{L}\p{N}_])(?:@(?:[\p{L}\p{N}-]{1,63}\.){1,5}\p{L}{2,24})?(?![\p{L}\p{N}_@(]|\/[\p{L}\p{N}])/gu;
/** Mentions of everybody, rules of style sheets and marks of code: they name nobody. */
const nobody =
  /^@(?:all|channel|everyone|here|charset|container|font-face|import|keyframes|layer|media|namespace|page|property|supports|tailwind|apply|deprecated|override|param|returns?|throws|test|ts-ignore|ts-expect-error)$/i;

export function findHandles(text: string): Found[] {
  const matches = Array.from(text.matchAll(handle));
  return matches.flatMap(({ 0: whole, index }) =>
    nobody.test(whole) || /^@\d+(?:[ap]m)?$/i.test(whole) ? [] : [foundAt('handle', index, whole)],
  );
}

const octets = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d]|\.\d)/g;
const groups = /(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi;
const version = /(?:\bv|versions?|release|firmware|build|update|patch)\.? ?$/i;

/** Addresses that a machine has before the world: not those of a house, nor numbers of versions. */
export function findNetworkAddresses(text: string): Found[] {
  const found: Found[] = [];
  for (const { 0: whole, index } of text.matchAll(octets)) {
    const isVersion = version.test(text.slice(Math.max(0, index - 12), index));
    if (!isVersion && ipaddr.IPv4.isValidFourPartDecimal(whole) && ipaddr.IPv4.parse(whole).range() === 'unicast')
      found.push(foundAt('ip', index, whole));
  }
  for (const { 0: whole, index } of text.matchAll(groups)) {
    const parts = whole.split(':').filter(Boolean);
    if (parts.length < 3 || !/\d/.test(whole) || !ipaddr.IPv6.isValid(whole)) continue;
    if (ipaddr.IPv6.parse(whole).range() === 'unicast')
      found.push(foundAt('ip', index, whole, ipaddr.IPv6.parse(whole).toNormalizedString()));
  }
  return found;
}

const link = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`]{3,2000}/giu;
const secretName =
  /token|secret|passw|pwd|api.?key|^key$|signature|^sig$|auth|session|^sid$|^code$|jwt|mail|phone|user|login|name|^uid$|^id$/i;
const profile = /\/(?:users?|u|profiles?|in|members?|people|author)\/([\p{L}\p{N}%._~-]{2,100})/giu;
const named = /\/(@[\p{L}\p{N}_.-]{2,60})/gu;

/** Who signs in by a link, whom it is the page of, and what it lets in. */
export function findInLinks(text: string): Found[] {
  return Array.from(text.matchAll(link)).flatMap(({ 0: url, index }): Found[] => {
    const from = url.indexOf('://') + 3;
    const authority = /^[^/?#]*/.exec(url.slice(from))![0];
    const query = url.indexOf('?');
    const path = url.slice(from + authority.length, query === -1 ? undefined : query);
    const at = authority.lastIndexOf('@');
    const login = at > 0 ? [foundAt('login', index + from, authority.slice(0, at))] : [];
    const start = index + from + authority.length;
    const profiles = Array.from(path.matchAll(profile), (match) =>
      foundAt('handle', start + match.index + match[0].length - match[1]!.length, match[1]!),
    );
    const pages = Array.from(path.matchAll(named), (match) => foundAt('handle', start + match.index + 1, match[1]!));
    const values = query === -1 ? [] : findInQuery(url.slice(query), index + query);
    return [...login, ...profiles, ...pages, ...values];
  });
}

function findInQuery(query: string, start: number): Found[] {
  return Array.from(query.matchAll(/[?&#;]([^=&#;]{1,60})=([^&#;]{1,1000})/gu)).flatMap(
    ({ 0: pair, 1: name, 2: given, index }) => {
      const value = given!.replace(/(?<![).,!])[).,!]+$/, '');
      const isRandom = value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value);
      if (value === '' || !(secretName.test(name!) || isRandom)) return [];
      return [foundAt('token', start + index + pair.length - given!.length, value, value)];
    },
  );
}
