import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { Ledger, RunItem, RunRow } from '../index.ts';
import type { AnsweredCase } from './collect-case.ts';
import { bundleCase, describeMaking, nameCase, signStatement, type BundleOptions } from './make-bundle.ts';
import { writePart } from './parts.ts';
import { writeBundleReadme } from './readme.ts';
import type { RedactedOpening } from './redact.ts';
import { publicKeyName, statementName, type Predicate } from './statement.ts';
import { createZipWriter, encodeText, mostBytes, mostEntries, type ZipEntry } from '@agonhq/engine/container';

export interface RunBundleOptions extends BundleOptions {
  /** Is handed what opens each case, where they are redacted. */
  onOpening?: (opening: RedactedOpening) => void | Promise<void>;
  signal?: AbortSignal;
}

const pageSize = 500;
/** README.txt, items.jsonl, public-key.pem, run.json and the statement. */
const otherEntries = 5;

/**
 * The evidence bundle of a whole run, piece by piece: a bundle for each case, one in memory at a time, and one signed
 * statement about them all.
 */
export async function* bundleRun(
  ledger: Ledger,
  run: RunRow,
  options: RunBundleOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const { key } = options;
  const items = await listItems(ledger, run.id);
  const ids = [...new Set(items.flatMap(({ result }) => (result ? [result.case] : [])))];
  if (ids.length + otherEntries > mostEntries) throw tooLarge(run, ids.length);
  const writer = createZipWriter();
  const digests = new Map<string, string>();
  const add = (entry: ZipEntry) => {
    if (entry.name !== statementName) digests.set(entry.name, sha256(entry.bytes));
    try {
      return writer.add(entry);
    } catch (error) {
      throw tooLarge(run, ids.length, error);
    }
  };

  // README.txt comes first by its name: so all that it says has to be known before the cases are read.
  const gone = await findGone(ledger, ids);
  const names = new Map<string, string>();
  for (const id of ids) names.set(id, await nameCase(id, options.redactWith));
  const nameOf = (id: string) => names.get(id)!;
  const cases = ids
    .filter((id) => !gone.has(id))
    .toSorted((a, b) => (nameEntry(nameOf(a)) < nameEntry(nameOf(b)) ? -1 : 1));
  const unfinished = items.filter(({ result, error }) => result === null && error === null).length;
  const predicate: Predicate = {
    ...({ format: 1, kind: 'run', run: run.id, job: run.job, cases: cases.map(nameOf) } as const),
    ...describeMaking(key, {
      asOf: findLatest(run, items).toISOString(),
      redacted: options.redactWith !== undefined,
      leftOut: [
        ...(gone.size > 0 ? [{ what: `${gone.size} case(s)`, why: 'their content was forgotten, or taken away' }] : []),
        ...(unfinished > 0 ? [{ what: `${unfinished} item(s)`, why: 'they have no result yet' }] : []),
      ],
    }),
  };
  const readme = writeBundleReadme(predicate);
  yield* add({ name: readme.name, bytes: writePart(readme) });
  for (const id of cases) {
    options.signal?.throwIfAborted();
    const record = await ledger.cases.findCase(id);
    if (!record?.answer) throw changedMeanwhile(id);
    const { id: named, bytes, opening } = await bundleCase(ledger, record as AnsweredCase, options);
    if (opening) await options.onOpening?.(opening);
    yield* add({ name: nameEntry(named), bytes });
  }
  const lines = items.map((item) => {
    const { case: id, risk, ...told } = describeItem(item);
    // A risk may be that of one text alone.
    return { ...told, case: id && nameOf(id), risk: options.redactWith === undefined ? risk : null };
  });
  yield* add({ name: 'items.jsonl', bytes: writePart({ name: 'items.jsonl', lines }) });
  yield* add({ name: publicKeyName, bytes: encodeText(key.publicKey) });
  yield* add({ name: 'run.json', bytes: writePart({ name: 'run.json', json: describeRun(run) }) });
  yield* add({ name: statementName, bytes: signStatement(digests, predicate, key) });
  yield* writer.end();
}

async function listItems(ledger: Ledger, run: string): Promise<RunItem[]> {
  const items: RunItem[] = [];
  for (;;) {
    const page = await ledger.runs.listItems(run, { order: 'input', after: items.at(-1) ?? null, limit: pageSize });
    items.push(...page);
    if (page.length < pageSize) return items;
  }
}

async function findGone(ledger: Ledger, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const gone = new Set<string>();
  for (let start = 0; start < ids.length; start += pageSize) {
    const some = ids.slice(start, start + pageSize);
    const summaries = await ledger.cases.findSummaries(some);
    for (const id of some) {
      const found = summaries.get(id);
      if (!found || found.forgottenAt !== null || found.seal === null) gone.add(id);
    }
  }
  return gone;
}

/** By the id where a file can be named so. */
function nameEntry(id: string): string {
  const name = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,200}$/.test(id) ? id : sha256(id).slice('sha256:'.length);
  return `cases/${name}.agon.zip`;
}

/** What an item came to: not what the input calls it, which may be the content itself. */
function describeItem({ position, state, sameAs, expected, result, error, endedAt }: RunItem) {
  return {
    line: position,
    state,
    ...(sameAs === null ? {} : { duplicateOf: sameAs }),
    expected,
    case: result?.case ?? null,
    label: result?.label ?? null,
    risk: result?.risk ?? null,
    decidedBy: result?.by ?? null,
    error: error?.code ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function describeRun({ id, name, job, configuration, state, total, startedAt, endedAt }: RunRow): object {
  return { id, name, job, configuration, state, total, startedAt, endedAt };
}

function findLatest({ startedAt, endedAt }: RunRow, items: readonly RunItem[]): Date {
  const moments = [startedAt, endedAt, ...items.map((item) => item.endedAt)].filter((moment) => moment !== null);
  return moments.reduce((latest, moment) => (moment > latest ? moment : latest));
}

function tooLarge({ id }: RunRow, cases: number, cause?: unknown): AgonError {
  return new AgonError(
    'bundle-too-large',
    `Run ${id} is too large for one bundle: ${cases} cases, and a bundle holds ${mostEntries} entries and ` +
      `${Math.floor(mostBytes / 2 ** 30)} GiB.`,
    { library: 'Bundle its cases one by one.', api: 'Download the bundles of its cases one by one.' },
    { cause },
  );
}

function changedMeanwhile(id: string): AgonError {
  return new AgonError('forgotten-case', `Case ${id} was taken away meanwhile.`, 'Make the bundle again.');
}
