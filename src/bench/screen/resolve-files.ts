import { AgonError } from '../../errors.ts';
import type { Naming } from '../datasets/labelled-item.ts';
import { askedLines, readKey } from './asked-items.ts';
import { readVotes } from './read-votes.ts';
import { resolveVotes, type AskedItem, type ResolveReport } from './resolve.ts';
import { countVotes, type Vote, type VoteProblem } from './votes.ts';
import { writeDecided, type DecidedFiles } from './write-decided.ts';

export interface ResolvePlan {
  flagged: string;
  votes: readonly string[];
  key?: string;
  labels?: Naming['labels'];
  /** How many votes an item needs; by default one of every rater. */
  atLeast?: number;
  files: DecidedFiles;
}

/** Counts the votes on flagged items and writes what was decided. Where a vote cannot be counted, nothing is. */
export async function resolveScreening(
  { flagged, votes: files, key: keyFile, labels, atLeast, files: written }: ResolvePlan,
  onProblem: (problem: VoteProblem) => void,
): Promise<ResolveReport> {
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  const items: AskedItem[] = [];
  for await (const { id, line, gold } of askedLines(flagged, key)) items.push({ id, line, gold });
  const { byItem, raters } = await countedVotes(files, labels, new Set(items.map(({ id }) => id)), onProblem);
  const { decisions, report } = resolveVotes(items, byItem, { raters, atLeast: atLeast ?? raters.length });
  await writeDecided(flagged, key, decisions, written);
  return report;
}

async function countedVotes(
  files: readonly string[],
  labels: Naming['labels'],
  ids: ReadonlySet<string>,
  onProblem: (problem: VoteProblem) => void,
): Promise<{ byItem: Map<string, Vote[]>; raters: string[] }> {
  const read = await Promise.all(files.map((file) => readVotes(file, labels ? { labels } : {})));
  const {
    byItem,
    raters,
    problems: miscounted,
  } = countVotes(
    read.flatMap(({ votes }) => votes),
    ids,
  );
  const problems = [...read.flatMap((one) => one.problems), ...miscounted];
  for (const problem of problems) onProblem(problem);
  if (problems.length > 0) {
    throw new AgonError(
      'bad-votes',
      `${problems.length === 1 ? 'One vote' : `${problems.length} votes`} cannot be counted: nothing was decided.`,
      'Correct the lines above, and run the same command again.',
    );
  }
  if (raters.length === 0)
    throw new AgonError(
      'empty-votes',
      'Nobody has voted yet: no line has a label.',
      'A vote is {"id":"…","rater":"…","label":"unsafe"}.',
    );
  return { byItem, raters };
}
