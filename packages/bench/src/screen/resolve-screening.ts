import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemReading } from '../datasets/labelled-item.ts';
import { readFlaggedItems, readFlaggedKey, type FlaggedItem, type KeyEntry } from './flagged-items.ts';
import { readVotes, countVotes, type Vote, type VoteProblem } from './votes.ts';
import { resolveVotes, type VotedItem, type ResolveReport, type VotedDecision } from './resolve-votes.ts';
import { openLineFile, type LineFile } from '@agonhq/core/runs';

export interface ResolvePlan {
  flagged: string;
  votes: readonly string[];
  key?: string;
  labels?: ItemReading['labels'];
  /** How many votes an item needs; by default one of every rater. */
  atLeast?: number;
  files: DecidedFiles;
}

/** Counts the votes on flagged items and writes what was decided. Where a vote cannot be counted, nothing is. */
export async function resolveScreening(
  { flagged, votes: files, key: keyFile, labels, atLeast, files: written }: ResolvePlan,
  onProblem: (problem: VoteProblem) => void,
): Promise<ResolveReport> {
  const key = keyFile === undefined ? undefined : await readFlaggedKey(keyFile);
  const items: VotedItem[] = [];
  for await (const { id, line, gold } of readFlaggedItems(flagged, key)) items.push({ id, line, gold });
  const { byItem, raters } = await countedVotes(files, labels, new Set(items.map(({ id }) => id)), onProblem);
  const { decisions, report } = resolveVotes(items, byItem, { raters, atLeast: atLeast ?? raters.length });
  await writeDecided(flagged, key, decisions, written);
  return report;
}

async function countedVotes(
  files: readonly string[],
  labels: ItemReading['labels'],
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

interface DecidedFiles {
  /** What was decided: labelled data for `agon bench`. */
  out: string;
  /** What is still open, as it was asked. */
  open?: string;
}

/** Goes through the flagged items once more and writes what became of them, all files or none. */
async function writeDecided(
  flagged: string,
  key: ReadonlyMap<string, KeyEntry> | undefined,
  decisions: readonly VotedDecision[],
  files: DecidedFiles,
): Promise<void> {
  const byId = new Map(decisions.map((decision) => [decision.id, decision]));
  const out = await openLineFile(files.out);
  let open: LineFile | null = null;
  try {
    open = files.open === undefined ? null : await openLineFile(files.open);
    for await (const asked of readFlaggedItems(flagged, key)) {
      const decision = byId.get(asked.id);
      if (decision) await out.write(`${JSON.stringify(decidedLine(asked, decision))}\n`);
    }
    if (open)
      for await (const { id, fields } of readFlaggedItems(flagged))
        if (!byId.has(id)) await open.write(`${JSON.stringify(fields)}\n`);
    await out.keep();
    await open?.keep();
  } catch (error) {
    await out.drop().catch(() => {});
    await open?.drop().catch(() => {});
    throw error;
  }
}

/**
 * An item of our own benchmark form: the label that people gave it, what each of them said, and how far they agreed.
 */
function decidedLine(
  { fields }: Pick<FlaggedItem, 'fields'>,
  { id, label, votes, agreement, gold }: VotedDecision,
): Record<string, unknown> {
  return {
    ...fields,
    id,
    label,
    raters: votes.map((vote) => vote.label),
    agreement,
    votes: votes.map(({ rater, label: given, reason }) => ({
      rater,
      label: given,
      ...(reason === null ? {} : { reason }),
    })),
    ...(gold === null ? {} : { label_before: gold }),
  };
}
