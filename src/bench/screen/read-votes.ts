import path from 'node:path';
import type { Readable } from 'node:stream';
import { AgonError } from '../../errors.ts';
import { itemLines, openLines } from '../../runs/index.ts';
import { readVote, type Vote, type VoteProblem, type VoteReading } from './votes.ts';

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
    for await (const line of itemLines(input, (value): { id?: string; value: unknown } => ({ value }), example)) {
      yield { line: line.line, ...('item' in line ? { value: line.item.value } : { error: line.error }) };
    }
  } finally {
    input.destroy();
  }
}

/** Votes are few: they are read whole. */
async function* rowsOf(input: Readable, file: string): AsyncGenerator<Value, void, void> {
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
