import type { Check } from '@agonhq/engine/debate';
import { checkCase, checkRedactedCase, type FindVerifier } from './check-case.ts';
import { checkContainer, count, notChecked, ok, wrong } from './check-container.ts';
import { readPart, type BundlePart } from './parts.ts';
import type { PublicKey } from './public-key.ts';
import { countRedacted, restoreParts, showCaseId, type RedactedOpening } from './redact.ts';
import type { Predicate } from './statement.ts';
import type { ZipEntry } from '@agonhq/engine/container';

/** What a check of a bundle came to. */
export interface BundleReport {
  version: 1;
  /** What the statement says the bundle is; null where there is none that can be trusted. */
  bundle: Predicate | null;
  /** Nothing is wrong. What was not checked is among the checks. */
  holds: boolean;
  checks: Check[];
  /** Of a run: its cases. */
  cases?: { id: string; holds: boolean; checks: Check[] }[];
}

export interface VerifyBundleOptions {
  /** The issuer's keys; without them, the one in the bundle. */
  keys?: readonly PublicKey[] | undefined;
  /** What opens a redacted one. */
  opening?: RedactedOpening | undefined;
  findVerifier: FindVerifier;
}

/**
 * Checks everything that code can check of a bundle, without a ledger, settings or a network, in Node and in a browser.
 *
 * @example const { holds, checks } = await verifyBundle(bytes, { keys: await readPublicKeys(pem), findVerifier })
 */
export async function verifyBundle(bytes: Uint8Array, options: VerifyBundleOptions): Promise<BundleReport> {
  const { checks, opened } = await checkContainer(bytes, options.keys);
  if (!opened) return report(null, checks);
  const { predicate, entries } = opened;
  if (predicate.kind === 'run') return verifyRun(predicate, entries, checks, options);
  return report(predicate, [...checks, ...(await checkOpened(predicate, entries, options))]);
}

async function checkOpened(
  predicate: Extract<Predicate, { kind: 'case' }>,
  entries: readonly ZipEntry[],
  options: VerifyBundleOptions,
): Promise<readonly Check[]> {
  const left = predicate.leftOut.map(({ what, why }) => notChecked('left out', `${what}: ${why}`));
  try {
    const parts = entries.map(({ name, bytes }) => readPart(name, bytes));
    if (predicate.redacted) return [...left, ...(await checkRedacted(predicate, parts, options))];
    return [...left, ...(await checkCase(parts, predicate, options.findVerifier))];
  } catch (error) {
    // Whoever signs can sign nonsense.
    return [wrong('parts', `they are not those of a case: ${(error as Error).message}`)];
  }
}

async function checkRedacted(
  predicate: Extract<Predicate, { kind: 'case' }>,
  parts: readonly BundlePart[],
  { opening, findVerifier }: VerifyBundleOptions,
): Promise<readonly Check[]> {
  const hidden = parts.reduce((sum, part) => sum + ('bytes' in part ? 0 : countRedacted(part)), 0);
  const members = count(hidden, 'member', 'members');
  if (!opening)
    return [
      ...checkRedactedCase(await showCaseId(parts, predicate.case), predicate),
      notChecked(
        'redacted',
        `${members} that would reveal the content are hidden behind commitments: seal, quotations, ` +
          `arithmetic, rules, ` +
          'prompts and records cannot be checked without the issuer’s opening',
      ),
    ];
  const named: BundlePart = { name: 'name of the case', json: { $redacted: predicate.case } };
  const restored = await restoreParts([named, ...parts], opening);
  if ('problem' in restored) return [wrong('opening', `it does not fit: ${restored.problem}`)];
  const [, ...opened] = restored.parts;
  const id = (restored.parts[0] as { json: unknown }).json as string;
  return [
    ok('opening', `${members} are opened to what was committed to`),
    ...(await checkCase(opened, { ...predicate, case: id }, findVerifier)),
  ];
}

/** Every case of a run is a bundle of its own, signed with the same key. */
async function verifyRun(
  predicate: Extract<Predicate, { kind: 'run' }>,
  entries: readonly ZipEntry[],
  checks: readonly Check[],
  options: VerifyBundleOptions,
): Promise<BundleReport> {
  const inner = entries.filter(({ name }) => name.startsWith('cases/'));
  const cases: NonNullable<BundleReport['cases']> = [];
  for (const { name, bytes } of inner) {
    const { bundle, holds, checks: found } = await verifyBundle(bytes, options);
    const isCase = bundle?.kind === 'case' && bundle.keyId === predicate.keyId;
    cases.push({ id: isCase ? bundle.case : name, holds: holds && isCase, checks: found });
  }
  const told = JSON.stringify(cases.map(({ id }) => id).toSorted());
  const failed = cases.filter(({ holds }) => !holds);
  const left = predicate.leftOut.map(({ what, why }) => notChecked('left out', `${what}: ${why}`));
  return {
    ...report(predicate, [
      ...checks,
      ...left,
      told === JSON.stringify(predicate.cases.toSorted())
        ? ok('run', `${count(cases.length, 'case', 'cases')} of ${predicate.run}`)
        : wrong('run', 'the cases are not those that were signed'),
      checkItems(predicate, entries),
      failed.length === 0
        ? ok('cases', 'every one is valid by itself')
        : wrong('cases', `${failed.length} of ${cases.length} are not valid, the first of them ${failed[0]!.id}`),
    ]),
    cases,
  };
}

/** Whether the items of a run are those of its cases. */
function checkItems({ run, cases, leftOut }: Extract<Predicate, { kind: 'run' }>, entries: readonly ZipEntry[]): Check {
  try {
    const read = (name: string) => readPart(name, entries.find((entry) => entry.name === name)!.bytes);
    const { id } = (read('run.json') as { json: { id: string } }).json;
    const { lines } = read('items.jsonl') as { lines: readonly { case: string | null }[] };
    const named = new Set(lines.flatMap((item) => item.case ?? []));
    const isWhole = cases.every((one) => named.has(one)) && (named.size === cases.length || leftOut.length > 0);
    if (id !== run || !isWhole) return wrong('items', 'they are not those of the cases');
    return ok('items', `${count(lines.length, 'item', 'items')}, ${count(named.size, 'case', 'cases')} of theirs`);
  } catch (error) {
    return wrong('items', `they cannot be read: ${(error as Error).message}`);
  }
}

function report(bundle: Predicate | null, checks: readonly Check[]): BundleReport {
  return { version: 1, bundle, holds: checks.every(({ outcome }) => outcome !== 'wrong'), checks: [...checks] };
}
