import type { Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { formatPlural } from '@agonhq/engine/view';
import type { Progress } from '@agonhq/core/runs';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { Dataset } from '../datasets/read-dataset.ts';
import type { RunConditions, RunOptions, SystemRun } from '../systems/run-system.ts';
import type { MeasuredSystem } from '../systems/system.ts';

/** Whoever looks on while systems are measured: shows progress, names errors, stops the work. */
export type WatchRun = <Run extends WatchedRun>(
  about: { file: string; system: string; /** Whether others are measured as well. */ beside: boolean; spent(): Usage },
  work: (conditions: Omit<RunConditions, 'concurrency'>) => Promise<Run>,
) => Promise<Run>;

/** What is seen of a run that has ended. */
export interface WatchedRun {
  summary: Progress;
  outcomes: readonly {
    judged: { label: string; usage: Usage; turns: readonly { fallback: string | null }[] } | null;
  }[];
}

interface Measuring<Of extends MeasuredSystem, Run extends WatchedRun> {
  run(system: Of['repeats'][number], options: RunOptions): Promise<Run>;
  concurrency: number;
  watch: WatchRun;
  /** Told of a system beside the first that judged nothing. */
  onNote(note: string): void;
}

/**
 * Every system over the same items, repeat by repeat, the control last: what it may spend is what the debate spent in
 * the same repeat.
 */
export async function measureSystems<Of extends MeasuredSystem, Run extends WatchedRun>(
  { file, lines: items }: { file: string; lines: readonly { key: string }[] },
  systems: readonly Of[],
  { run, concurrency, watch, onNote }: Measuring<Of, Run>,
): Promise<Run[][]> {
  const runs = new Map(systems.map((system) => [system, [] as Run[]]));
  const order = systems.toSorted((a, b) => Number(a.kind === 'control') - Number(b.kind === 'control'));
  for (let repeat = 1; repeat <= Math.max(...systems.map(({ repeats }) => repeats.length)); repeat++) {
    for (const system of order) {
      const debate = systems.find(({ name }) => name === system.of);
      const tokens = system.kind === 'control' && debate ? sumTokens(items, runs.get(debate)!.at(-1)!) : null;
      const ready: Of['repeats'][number] = system.repeats[Math.min(repeat, system.repeats.length) - 1]!;
      const ran = await watch(
        { file, system: ready.name, beside: systems.length > 1, spent: () => ready.spent() },
        (conditions) => run(ready, { ...conditions, concurrency, repeat, ...(tokens ? { tokens } : {}) }),
      );
      const problem = explainEmptyRun(ran, file);
      if (problem && system === systems[0]) throw problem;
      if (problem && repeat === 1) onNote(`${system.name}: ${problem.message}`);
      runs.get(system)!.push(ran);
    }
  }
  return systems.map((system) => runs.get(system)!);
}

/** What is wrong with a run of which no figure would mean anything. */
export function explainEmptyRun({ outcomes }: Pick<WatchedRun, 'outcomes'>, file: string): AgonError | null {
  const judged = outcomes.flatMap((outcome) => outcome.judged ?? []);
  if (judged.length === 0)
    return new AgonError('nothing-judged', `No item of ${file} could be judged: there is nothing to measure.`, {
      library: 'The lines above say why.',
      api: 'Check that its items, and the files that they name, can be read, and that the models answer.',
    });
  const silent = judged.every(({ turns }) => turns.length > 0 && turns.every(({ fallback }) => fallback !== null));
  const reasons = [...new Set(judged.flatMap(({ turns }) => turns.flatMap(({ fallback }) => fallback ?? [])))].join(
    ', ',
  );
  return silent
    ? new AgonError(
        'nobody-heard',
        `No seat answered on any item of ${file} (${reasons}): there is nothing to measure.`,
        'Check that the models can be reached: `agon doctor`.',
      )
    : null;
}

/**
 * By the item's key, the tokens that a debate took; nothing where it took none. A line of the data may hold several
 * items.
 */
function sumTokens(items: readonly { key: string }[], { outcomes }: Pick<WatchedRun, 'outcomes'>): Map<string, number> {
  return new Map(
    outcomes.flatMap(({ judged }, place): [string, number][] => {
      const tokens = judged ? judged.usage.inputTokens + judged.usage.outputTokens : 0;
      return tokens === 0 ? [] : [[items[place]!.key, tokens]];
    }),
  );
}

const outages = new Set(['nobody-heard', 'system-unavailable']);

/**
 * The same measurement without the items that some system could not be asked about, since its provider was away: they
 * are no mistakes of it, and all systems are held against each other on the same items. A system that was away for all
 * of them is measured as it is.
 */
export function leaveOutUnreached<Item extends LabelledItem, Run extends SystemRun<Item>>(
  data: Dataset<Item>,
  runs: readonly (readonly Run[])[],
): { data: Dataset<Item>; runs: readonly (readonly Run[])[]; leftOut: number } {
  const heard = runs.flat().filter(({ judged }) => judged.length > 0);
  const isReached = data.lines.map((_, place) => heard.every((run) => !wasAway(run, place)));
  const leftOut = isReached.filter((reached) => !reached).length;
  if (leftOut === 0) return { data, runs, leftOut };
  if (leftOut === data.lines.length)
    throw new AgonError(
      'nobody-heard',
      `No item of ${data.file} could be judged by every system, since providers were away.`,
      'Run the same command again: what was judged is not judged anew.',
    );
  const keep = <Each>(each: readonly Each[]) => each.filter((_, place) => isReached[place]);
  return {
    data: { ...data, lines: keep(data.lines) },
    runs: runs.map((repeats) =>
      repeats.map((run) => {
        const outcomes = keep(run.outcomes);
        const judged = outcomes.flatMap((outcome) => outcome.judged ?? []);
        return { ...run, outcomes, judged, keys: keep(run.keys) };
      }),
    ),
    leftOut,
  };
}

export function explainUnreached(leftOut: number): string {
  return (
    `${formatPlural(leftOut, 'item')} could not be judged by every system, since a provider was away, and no figure ` +
    'counts them: run the same bench again to judge them.'
  );
}

function wasAway({ outcomes, problems }: SystemRun, place: number): boolean {
  const { line, judged } = outcomes[place]!;
  return judged === null && outages.has(problems.get(line)?.code ?? '');
}
