import { AgonError } from '../../errors.ts';
import type { Usage } from '../../debate/index.ts';
import type { Progress } from '../../runs/index.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { ClaimData } from '../jobs/documents/labelled-claim.ts';
import { type ClaimResults, runClaims, type ClaimRun } from '../jobs/documents/run-claims.ts';
import type { OpenClaimSystem } from '../jobs/documents/systems.ts';
import type { BenchResults } from '../systems/results.ts';
import { runSystem, type SystemRun } from '../systems/run-system.ts';
import type { MeasuredSystem, OpenSystem } from '../systems/system.ts';

/** What a run of one system over one set of data is given from outside: to be seen, and to be stopped. */
export interface RunConditions {
  concurrency: number;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

/** Whoever looks on while systems are measured: shows progress, names errors, stops the work. */
export type WatchRun = <Run extends WatchedRun>(
  about: { file: string; system: string; /** Whether others are measured as well. */ beside: boolean; spent(): Usage },
  work: (conditions: Omit<RunConditions, 'concurrency'>) => Promise<Run>,
) => Promise<Run>;

/** What is seen of a run that has ended. */
export interface WatchedRun {
  summary: Progress;
  outcomes: readonly { judged: { label: string; turns: readonly { fallback: string | null }[] } | null }[];
}

interface Measuring<Results> {
  results: Results;
  concurrency: number;
  watch: WatchRun;
  /** Told of a system beside the first that judged nothing. */
  onNote(note: string): void;
}

/**
 * Every system over the same items, repeat by repeat, the control last: what it may spend is what the debate spent in
 * the same repeat.
 */
export async function measureSystems<Subject, Item extends LabelledItem<Subject>>(
  data: LabelledData<Item>,
  contenders: readonly MeasuredSystem<OpenSystem<Subject>>[],
  { results, concurrency, watch, onNote }: Measuring<BenchResults>,
): Promise<SystemRun<Item>[][]> {
  const beside = contenders.length > 1;
  return runRepeats(data, contenders, onNote, (system, repeat, tokens) =>
    watch({ file: data.file, system: system.name, beside, spent: () => system.spent() }, (conditions) =>
      runSystem(system, data, { ...conditions, results, concurrency, repeat, ...(tokens ? { tokens } : {}) }),
    ),
  );
}

/** The same for claims. */
export async function measureClaims(
  data: ClaimData,
  contenders: readonly MeasuredSystem<OpenClaimSystem>[],
  { results, concurrency, watch, onNote }: Measuring<ClaimResults>,
): Promise<ClaimRun[][]> {
  const beside = contenders.length > 1;
  return runRepeats(data, contenders, onNote, (system, repeat, tokens) =>
    watch({ file: data.file, system: system.name, beside, spent: () => system.spent() }, (conditions) =>
      runClaims(system, data, { ...conditions, results, concurrency, repeat, ...(tokens ? { tokens } : {}) }),
    ),
  );
}

type Run = {
  outcomes: readonly {
    judged: { label: string; usage: Usage; turns: readonly { fallback: string | null }[] } | null;
  }[];
};

async function runRepeats<System, Ran extends Run>(
  { file, lines: items }: { file: string; lines: readonly { key: string }[] },
  contenders: readonly MeasuredSystem<System>[],
  onNote: (note: string) => void,
  run: (system: System, repeat: number, tokens: ReadonlyMap<string, number> | null) => Promise<Ran>,
): Promise<Ran[][]> {
  const runs = new Map(contenders.map((contender) => [contender, [] as Ran[]]));
  const order = contenders.toSorted((a, b) => Number(a.kind === 'control') - Number(b.kind === 'control'));
  for (let repeat = 1; repeat <= Math.max(...contenders.map(({ repeats }) => repeats.length)); repeat++) {
    for (const contender of order) {
      const debate = contenders.find(({ name }) => name === contender.of);
      const tokens = contender.kind === 'control' && debate ? spentOn(items, runs.get(debate)!.at(-1)!) : null;
      const ran = await run(contender.repeats[Math.min(repeat, contender.repeats.length) - 1]!, repeat, tokens);
      const problem = explainEmptyRun(ran, file);
      if (problem && contender === contenders[0]) throw problem;
      if (problem && repeat === 1) onNote(`${contender.name}: ${problem.message}`);
      runs.get(contender)!.push(ran);
    }
  }
  return contenders.map((contender) => runs.get(contender)!);
}

/** What is wrong with a run of which no figure would mean anything. */
export function explainEmptyRun({ outcomes }: Pick<WatchedRun, 'outcomes'>, file: string): AgonError | null {
  const judged = outcomes.flatMap((outcome) => outcome.judged ?? []);
  if (judged.length === 0)
    return new AgonError(
      'nothing-judged',
      `No item of ${file} could be judged: there is nothing to measure.`,
      'The lines above say why.',
    );
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
function spentOn(items: readonly { key: string }[], { outcomes }: Run): Map<string, number> {
  return new Map(
    outcomes.flatMap(({ judged }, place): [string, number][] => {
      const tokens = judged ? judged.usage.inputTokens + judged.usage.outputTokens : 0;
      return tokens === 0 ? [] : [[items[place]!.key, tokens]];
    }),
  );
}
