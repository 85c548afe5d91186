import { readSafetyLabel, readItemLines, openLines, type OpenInput } from '@agonhq/engine/items';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemReading } from '../datasets/labelled-item.ts';
import path from 'node:path';

/**
 * The votes of a file: lines of JSON, or CSV with a header (.csv, .tsv). What cannot be read is a problem in its
 * place.
 */
export async function readVotes(
  file: string,
  { labels }: Pick<VoteReading, 'labels'> = {},
): Promise<{ votes: Vote[]; problems: VoteProblem[] }> {
  const name = path.basename(file);
  const reading: VoteReading = { rater: path.parse(file).name, ...(labels ? { labels } : {}) };
  const votes: Vote[] = [];
  const problems: VoteProblem[] = [];
  let lines = 0;
  for await (const { line, value, error } of valuesIn(file)) {
    lines += 1;
    try {
      if (error) throw error;
      const vote = readVote(value, reading);
      if (vote) votes.push({ ...vote, file: name, line });
    } catch (problem) {
      if (!AgonError.is(problem)) throw problem;
      problems.push({ file: name, line, message: problem.message });
    }
  }
  if (lines === 0)
    throw new AgonError('empty-votes', `${file} holds no votes.`, `Each line is one vote, for example ${example}.`);
  return { votes, problems };
}

const example = '{"id":"1","rater":"Ada","label":"unsafe"}';

interface Value {
  line: number;
  value?: unknown;
  error?: AgonError;
}

async function* valuesIn(file: string): AsyncGenerator<Value, void, void> {
  const input = await openLines(file);
  try {
    if (/\.(?:csv|tsv)$/i.test(file)) return yield* rowsOf(input, file);
    for await (const line of readItemLines(input, (value): { id?: string; value: unknown } => ({ value }), example)) {
      yield { line: line.line, ...('item' in line ? { value: line.item.value } : { error: line.error }) };
    }
  } finally {
    input.destroy();
  }
}

/** Votes are few: they are read whole. */
async function* rowsOf(input: OpenInput, file: string): AsyncGenerator<Value, void, void> {
  const { CsvError, parse } = await import('csv-parse/sync');
  const chunks: Uint8Array[] = [];
  for await (const chunk of input as AsyncIterable<Uint8Array>) chunks.push(chunk);
  try {
    const rows = parse(Buffer.concat(chunks), {
      bom: true,
      columns: (header: readonly string[]) => columnsOf(header, path.basename(file)),
      delimiter: /\.tsv$/i.test(file) ? '\t' : ',',
      info: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: object; info: { lines: number } }[];
    yield* rows.map(({ record, info }) => ({ line: info.lines, value: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AgonError(
      'broken-csv',
      `${file} cannot be read: ${error.message}.`,
      'Its columns are id, rater, label and reason, with a header; a cell that holds a comma stands in quotes.',
      { cause: error },
    );
  }
}

function columnsOf(header: readonly string[], file: string): string[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = ['id', 'label'].filter((name) => !names.includes(name));
  if (missing.length === 0) return names;
  throw new AgonError(
    'broken-csv',
    `The header of ${file} has no column ${missing.map((name) => JSON.stringify(name)).join(', ')}.`,
    'Its columns are id, rater, label and reason.',
  );
}

/** What one person said of one item. */
export interface Vote {
  id: string;
  rater: string;
  label: 'safe' | 'unsafe';
  reason: string | null;
  /** Where it stands. */
  file: string;
  line: number;
}

/** A vote that cannot be counted. */
export interface VoteProblem {
  file: string;
  line: number;
  message: string;
}

export interface VoteReading {
  /** Who voted where the line does not say: the file is theirs. */
  rater: string;
  labels?: ItemReading['labels'];
}

const hint = 'A vote is {"id":"…","rater":"…","label":"unsafe"}, and may have a "reason".';

/** Reads one vote; null for an item that the rater has given no label yet. */
export function readVote(value: unknown, { rater, labels = {} }: VoteReading): Omit<Vote, 'file' | 'line'> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken('It is not an object.');
  const given = value as Record<string, unknown>;
  if ('screen' in given) throw broken('It is a flagged item with the label it came with, not a vote.');
  const { id } = given;
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number')
    throw broken('It does not say which item it is about: "id" is missing.');
  const word = wordIn(given['label']);
  if (word === null) return null;
  const label = readSafetyLabel(Object.hasOwn(labels, word) ? labels[word] : word);
  if (!label) throw broken(`The label ${JSON.stringify(word)} is not known: safe, unsafe.`);
  return {
    id: String(id),
    rater: wordIn(given['rater']) ?? rater,
    label,
    reason: wordIn(given['reason']) ?? wordIn(given['notes']),
  };
}

function broken(message: string): AgonError {
  return new AgonError('broken-vote', message, hint);
}

function wordIn(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value).trim()
      : JSON.stringify(value);
  return text === '' ? null : text;
}

/**
 * Votes by item, then by rater in the order of their names. Votes for items that nobody asked about, and those of a
 * rater who said two things of one item, are problems; the same vote twice is one.
 */
export function countVotes(
  votes: readonly Vote[],
  ids: { has(id: string): boolean },
): { byItem: Map<string, Vote[]>; raters: string[]; problems: VoteProblem[] } {
  const problems: VoteProblem[] = [];
  const byItem = new Map<string, Map<string, Vote>>();
  for (const vote of votes) {
    const { id, rater, file, line } = vote;
    if (!ids.has(id)) {
      problems.push({ file, line, message: `There is no item ${JSON.stringify(id)}.` });
      continue;
    }
    const those = byItem.get(id) ?? new Map<string, Vote>();
    const first = those.get(rater);
    if (first && first.label !== vote.label) {
      const where = first.file === file ? `line ${first.line}` : `line ${first.line} of ${first.file}`;
      problems.push({
        file,
        line,
        message: `${rater} says ${vote.label} of ${JSON.stringify(id)}, and ${first.label} on ${where}.`,
      });
    } else those.set(rater, first ?? vote);
    byItem.set(id, those);
  }
  const byName = (a: Vote, b: Vote) => (a.rater < b.rater ? -1 : 1);
  return {
    byItem: new Map([...byItem].map(([id, those]) => [id, [...those.values()].toSorted(byName)])),
    raters: [...new Set(votes.map(({ rater }) => rater))].toSorted(),
    problems,
  };
}
