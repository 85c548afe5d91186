import { z } from 'zod';
import type { BundlePart } from './parts.ts';
import { digest } from './public-key.ts';
import { caseIds, keptMembers } from './redaction-rules.ts';
import { decodeBase64, encodeBase64, encodeText, joinBytes } from '@agonhq/engine/container';

/*
 * Redaction: what reveals the content is replaced by `{ "$redacted": "sha256:…" }`, the hash of a salt of 32 bytes and
 * of what stood there. The openings, kept by whoever made the bundle, say both; with them it can be restored.
 */

/** What opens the commitments of a bundle, by commitment. */
export interface RedactedOpening {
  format: 1;
  case: string;
  openings: Record<string, Opened>;
}

type Opened = { salt: string } & ({ json: unknown } | { name: string; bytes: string });

interface Commitment {
  $redacted: string;
}

/** Makes the salt for what stands at a path of a case; 32 bytes that nobody can guess. */
export type MakeSalt = (id: string, path: string) => Uint8Array;

/** What a redacted bundle calls a case: the commitment to its id. */
export async function hideCaseId(id: string, makeSalt: MakeSalt): Promise<string> {
  return commitTo(makeSalt(id, ''), encodeText(JSON.stringify(id)));
}

/** The same parts with this name of the case in place of the commitments to it. */
export async function showCaseId(parts: readonly BundlePart[], hidden: string): Promise<BundlePart[]> {
  const open = async ({ $redacted: commitment }: Commitment) =>
    commitment === hidden ? { salt: '', json: hidden } : undefined;
  return Promise.all(
    parts.map(async (part) => {
      if ('json' in part) return { ...part, json: await restoreValue(part.json, open) };
      if ('lines' in part) return { ...part, lines: (await restoreValue(part.lines, open)) as readonly unknown[] };
      return part;
    }),
  );
}

/** The parts of a bundle without what reveals the content, and what opens them again. */
export async function redactParts(
  id: string,
  parts: readonly BundlePart[],
  makeSalt: MakeSalt,
): Promise<{ parts: BundlePart[]; opening: RedactedOpening }> {
  const openings: RedactedOpening['openings'] = {};
  const redacted: BundlePart[] = [];
  let files = 0;
  for (const part of parts) {
    const patterns = (keptMembers[part.name] ?? []).map((pattern) => pattern.split('.'));
    const commit = async (place: readonly string[], value: unknown): Promise<Commitment> => {
      const isCaseId = typeof value === 'string' && caseIds.test(`${part.name} ${place.join('.')}`);
      const salt = isCaseId ? makeSalt(value, '') : makeSalt(id, [part.name, ...place].join(' '));
      const commitment = await commitTo(salt, encodeText(JSON.stringify(value)));
      openings[commitment] = { salt: encodeBase64(salt), json: value };
      return { $redacted: commitment };
    };
    if ('json' in part) redacted.push({ name: part.name, json: await redactValue(part.json, [], patterns, commit) });
    else if ('lines' in part) {
      const lines = (await redactValue(part.lines, [], patterns, commit)) as readonly unknown[];
      redacted.push({ name: part.name, lines });
    } else if (patterns.some(([first]) => first === '**')) redacted.push(part);
    else {
      files += 1;
      const salt = makeSalt(id, part.name);
      const commitment = await commitTo(salt, part.bytes);
      openings[commitment] = { salt: encodeBase64(salt), name: part.name, bytes: encodeBase64(part.bytes) };
      // A file is named by its hash, by which a guess could be tried.
      redacted.push({
        name: `subject/redacted-${String(files).padStart(4, '0')}.json`,
        json: { $redacted: commitment },
      });
    }
  }
  return { parts: redacted, opening: { format: 1, case: id, openings } };
}

/** Puts back what was redacted; or says what an opening does not open. */
export async function restoreParts(
  parts: readonly BundlePart[],
  { openings }: RedactedOpening,
): Promise<{ parts: BundlePart[] } | { problem: string }> {
  const problems: string[] = [];
  const restored: BundlePart[] = [];
  const open = async ({ $redacted: commitment }: Commitment): Promise<Opened | undefined> => {
    const opened = Object.hasOwn(openings, commitment) ? openings[commitment] : undefined;
    const content = opened && ('json' in opened ? encodeText(JSON.stringify(opened.json)) : decodeBase64(opened.bytes));
    if (opened && (await commitTo(decodeBase64(opened.salt), content!)) === commitment) return opened;
    problems.push(`${commitment} is ${opened ? 'opened to something else' : 'not in it'}`);
    return undefined;
  };
  for (const part of parts) {
    if ('bytes' in part) restored.push(part);
    else if ('lines' in part)
      restored.push({ name: part.name, lines: (await restoreValue(part.lines, open)) as readonly unknown[] });
    else {
      const file = isCommitment(part.json) && part.name.startsWith('subject/') ? await open(part.json) : undefined;
      if (file && 'name' in file) restored.push({ name: file.name, bytes: decodeBase64(file.bytes) });
      else restored.push({ name: part.name, json: await restoreValue(part.json, open) });
    }
  }
  return problems.length > 0 ? { problem: problems[0]! } : { parts: restored };
}

/** How many members of a part are commitments. */
export function countRedacted(value: unknown): number {
  if (isCommitment(value)) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + countRedacted(member), 0);
}

function isCommitment(value: unknown): value is Commitment {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === '$redacted';
}

async function commitTo(salt: Uint8Array, content: Uint8Array): Promise<string> {
  return digest(joinBytes([salt, content]));
}

async function redactValue(
  value: unknown,
  place: readonly string[],
  patterns: readonly (readonly string[])[],
  commit: (place: readonly string[], value: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (value === null || typeof value === 'boolean') return value;
  const [first] = patterns;
  if (first && patterns.some((pattern) => pattern.length === 0 || pattern[0] === '**')) return value;
  if (typeof value !== 'object' || !first) return commit(place, value);
  const below = (name: string) => patterns.filter(([step]) => step === name || step === '*').map(([, ...rest]) => rest);
  if (Array.isArray(value)) {
    const members: unknown[] = [];
    for (const [index, member] of value.entries())
      members.push(await redactValue(member, [...place, String(index)], below(String(index)), commit));
    return members;
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value))
    members.push([name, await redactValue(member, [...place, name], below(name), commit)]);
  return Object.fromEntries(members);
}

async function restoreValue(
  value: unknown,
  open: (commitment: Commitment) => Promise<Opened | undefined>,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (isCommitment(value)) {
    const opened = await open(value);
    return opened && 'json' in opened ? opened.json : value;
  }
  if (Array.isArray(value)) return Promise.all(value.map((member) => restoreValue(member, open)));
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) members.push([name, await restoreValue(member, open)]);
  return Object.fromEntries(members);
}

const openingSchema = z.strictObject({
  format: z.literal(1),
  case: z.string(),
  openings: z.record(
    z.string(),
    z.union([
      z.strictObject({ salt: z.string(), json: z.unknown() }),
      z.strictObject({ salt: z.string(), name: z.string(), bytes: z.string() }),
    ]),
  ),
});

/** Reads openings: of one case, or one line for each of a run. Undefined for what is none. */
export function readOpening(text: string): RedactedOpening | undefined {
  try {
    const read = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => openingSchema.parse(JSON.parse(line)));
    return {
      ...read[0]!,
      openings: Object.assign({}, ...read.map(({ openings }) => openings)) as RedactedOpening['openings'],
    };
  } catch {
    return undefined;
  }
}
