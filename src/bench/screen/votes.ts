import { AgonError } from '../../errors.ts';
import { safetyLabel } from '../../runs/index.ts';
import type { Naming } from '../datasets/labelled-item.ts';

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
  labels?: Naming['labels'];
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
  const label = Object.hasOwn(labels, word) ? labels[word] : safetyLabel(word);
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

/** A word, a number or a truth value as text; null for nothing. */
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
