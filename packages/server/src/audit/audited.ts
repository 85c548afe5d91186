import type { Operation } from '../api/index.ts';
import { redactKeys } from '../auth/key-text.ts';

/* Which requests are noted, and what of them. */

const watchedScopes: readonly Operation['scope'][] = ['review', 'care', 'admin'];
/** Sent as a form, and changes nothing. */
const onlyAsks = new Set(['runs.estimate']);

/** Evidence, and what opens it where it is redacted: with it, contents leave the server. */
const takenAway = new Set(['bundle', 'opening']);

/** Noted where they are done, with their reasons, in one transaction with what they do. */
const notedThere = new Set(['holds.place', 'holds.lift']);

/** Signing in and out is noted where it is done: before, nobody knows who it is. */
export function isAudited({ id, method, scope }: Operation): boolean {
  const [group, verb] = id.split('.') as [string, string];
  if (notedThere.has(id)) return false;
  if (scope === 'care' || verb.startsWith('export') || takenAway.has(verb)) return true;
  if (method === 'get' || onlyAsks.has(id)) return false;
  return watchedScopes.includes(scope) || group === 'runs' || group === 'benches';
}

const longest = 200;
const mostListed = 20;

/** What a path names: the ids in it. */
export function describeTarget(params: Readonly<Record<string, unknown>>): string | null {
  const named = Object.values(params).map((value) => tidy(String(value)));
  return named.length === 0 ? null : named.join(' ');
}

/** Members that say what was chosen. Contents, reasons, notes and secrets are not among them. */
const harmless = [
  'action',
  'by',
  'clause',
  'dryRun',
  'events',
  'expiresAt',
  'format',
  'hash',
  'job',
  'label',
  'method',
  'model',
  'name',
  'redact',
  'reviewer',
  'scopes',
  'state',
] as const;

/** What was asked for, of the body and the query as they were read. */
export function describeRequest(...asked: readonly unknown[]): Record<string, unknown> {
  const what: Record<string, unknown> = {};
  for (const part of asked) {
    if (typeof part !== 'object' || part === null) continue;
    const given = part as Record<string, unknown>;
    for (const name of harmless) if (Object.hasOwn(given, name)) keep(what, name, given[name]);
    if (typeof given['url'] === 'string' && URL.canParse(given['url'])) what['host'] = new URL(given['url']).host;
  }
  return what;
}

function keep(what: Record<string, unknown>, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    const listed = value.filter((each) => typeof each === 'string').map(tidy);
    if (listed.length > 0) what[name] = listed.slice(0, mostListed);
  } else if (typeof value === 'string') what[name] = tidy(value);
  else if (typeof value === 'number' || typeof value === 'boolean') what[name] = value;
}

/** A key that was put where it does not belong is cut out. */
function tidy(text: string): string {
  const plain = redactKeys(text);
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}
