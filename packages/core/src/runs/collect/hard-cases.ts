import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { SafetyLabel } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { CollectedExchange } from './collect.ts';

/**
 * An exchange that evaluators do not agree on, for a person to label. Labelled, it is a line for `agon bench
 * evaluation`.
 */
export type HardCase = Pick<CollectedExchange, 'id' | 'model' | 'attack' | 'promptId' | 'seats'> &
  ({ prompt: string; response: string } | Pick<Extract<CollectedExchange, { messages: unknown }>, 'messages'>) & {
    votes: Record<string, SafetyLabel>;
    why: string[];
    /** The share of pairs of evaluators whose labels differ. */
    disagreement: number;
    label: 'safe' | 'unsafe' | null;
    risk: 'explicit' | 'implicit' | null;
    notes: string;
  };

/**
 * The case, when evaluators disagree, one of them is undecided, or the debate's own seats ended with different
 * labels.
 */
export function describeHardCase(record: CollectedExchange): HardCase | null {
  const votes = Object.fromEntries(Object.entries(record.votes).map(([name, { label }]) => [name, label]));
  const labels = Object.values(votes);
  const undecided = Object.keys(votes).filter((name) => votes[name] === 'undecided');
  const why = [
    ...(new Set(labels).size > 1 ? ['evaluators disagree'] : []),
    ...(undecided.length > 0 ? [`undecided: ${undecided.join(', ')}`] : []),
    ...(new Set(Object.values(record.seats)).size > 1 ? ['the seats of the debate disagree'] : []),
  ];
  if (why.length === 0) return null;
  const { id, model, attack, promptId, seats } = record;
  const exchange =
    'messages' in record ? { messages: record.messages } : { prompt: record.prompt, response: record.response };
  return {
    id,
    model,
    attack,
    promptId,
    ...exchange,
    votes,
    seats,
    why,
    disagreement: disagreementOf(labels),
    label: null,
    risk: null,
    notes: '',
  };
}

function disagreementOf(labels: readonly string[]): number {
  const pairs = (labels.length * (labels.length - 1)) / 2;
  const apart = labels.flatMap((label, index) => labels.slice(index + 1).filter((other) => other !== label)).length;
  return pairs === 0 ? 0 : Math.round((apart / pairs) * 1000) / 1000;
}

/** The most contested first; what is contested alike by how many reasons there are, then by its name. */
export function compareDisagreement(a: HardCase, b: HardCase): number {
  return b.disagreement - a.disagreement || b.why.length - a.why.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

type Annotation = Pick<HardCase, 'id' | 'label' | 'risk' | 'notes'>;

/** What people have already written into a file of hard cases; a file of anything else is refused. */
export async function readAnnotations(path: string): Promise<Map<string, HardCase>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new AgonError(
      'unreadable-file',
      `${path} cannot be read: ${error.code ?? error.message}.`,
      'Give another --hard.',
      { cause: error },
    );
  });
  const annotated = new Map<string, HardCase>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const hard = parse(line);
    if (!hard)
      throw new AgonError(
        'not-hard-cases',
        `${path} is not a file of hard cases: its line ${index + 1} is something else.`,
        'Nothing was changed. Give another --hard, or remove the file.',
      );
    if (hard.label !== null || hard.risk !== null || hard.notes !== '') annotated.set(hard.id, hard);
  }
  return annotated;
}

function parse(line: string): HardCase | null {
  try {
    const value = JSON.parse(line) as Partial<HardCase> | null;
    return typeof value?.id === 'string' && 'votes' in value && 'label' in value && 'notes' in value
      ? (value as HardCase)
      : null;
  } catch {
    return null;
  }
}

/**
 * Writes the cases anew; labels and notes that people gave are kept, and so are cases they labelled that are no
 * longer hard.
 */
export async function writeHardCases(path: string, cases: readonly HardCase[]): Promise<void> {
  const annotated = await readAnnotations(path);
  const lines = cases
    .toSorted(compareDisagreement)
    .map((hard) => ({ ...hard, ...annotationOf(annotated.get(hard.id)) }));
  const known = new Set(cases.map(({ id }) => id));
  const text = [...lines, ...[...annotated.values()].filter(({ id }) => !known.has(id))]
    .map((hard) => `${JSON.stringify(hard)}\n`)
    .join('');
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new AgonError(
      'cannot-write',
      `${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`,
      'Give another --hard.',
      { cause: error },
    );
  }
}

function annotationOf(hard: HardCase | undefined): Partial<Annotation> {
  return hard ? { label: hard.label, risk: hard.risk, notes: hard.notes } : {};
}
