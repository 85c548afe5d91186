import { openLines, readCsvValues, readJsonValues, readSafetyLabel, type InputValue } from '@agonhq/engine/items';
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
  for await (const { line, ...found } of valuesIn(file)) {
    lines += 1;
    try {
      if ('error' in found) throw found.error;
      const vote = readVote(found.value, reading);
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

async function* valuesIn(file: string): AsyncGenerator<InputValue, void, void> {
  const input = await openLines(file);
  const name = path.basename(file);
  const delimiter = /\.tsv$/i.test(name) ? '\t' : ',';
  const hint =
    'Its columns are id, rater, label and reason, with a header; a cell that holds a comma stands in quotes.';
  const table = { name, delimiter, columnsOf: (header: readonly string[]) => columnsOf(header, name), hint } as const;
  try {
    yield* /\.(?:csv|tsv)$/i.test(name) ? readCsvValues(input, table) : readJsonValues(input, { example });
  } finally {
    input.destroy();
  }
}

function columnsOf(header: readonly string[], file: string): string[] {
  const names = header.map((name) => name.toLowerCase());
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
    id: String(id).trim(),
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
