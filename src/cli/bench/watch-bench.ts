import {
  type WatchRun,
  runSafetySystem,
  explainEmptyRun,
  type LabelledData,
  type SafetyItem,
  type SafetyResults,
  type SafetyRun,
  type SafetySystem,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { listenForInterrupt } from '../process.ts';
import { formatError } from '../print-error.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

/** What befalls every item is told of the first ones. */
const mostTold = 10;

/**
 * Shows the progress of each run on standard error, names what failed once, and stops on Ctrl-C. `kept`: whether a
 * run that is stopped can go on.
 */
export function watchBench({ quiet, kept }: { quiet?: boolean; kept: boolean }): WatchRun {
  const told = new Set<string>();
  return async ({ file, system, beside, spent }, work) => {
    const interrupt = listenForInterrupt();
    const line = openProgressLine({ quiet: quiet === true, spent });
    const failures = new Map<string, number>();
    try {
      const run = await work({
        onProgress: line.show,
        onError: (error, at) => {
          const said = formatError(error);
          if (told.has(`${file} ${at} ${said}`)) return;
          told.add(`${file} ${at} ${said}`);
          const alike = (failures.get(error.code) ?? 0) + 1;
          failures.set(error.code, alike);
          if (alike <= mostTold) line.note(`${file}, ${system}, line ${at}: ${said}`);
        },
        signal: interrupt.signal,
      });
      for (const [code, count] of failures)
        if (count > mostTold)
          line.note(
            `${file}, ${system}: ${count - mostTold} more items failed alike (${code}); the reports name them all.`,
          );
      const judged = run.outcomes.flatMap((outcome) => outcome.judged ?? []);
      line.end(run.summary, labelsIn(judged), beside ? system : undefined);
      return run;
    } catch (error) {
      line.stop();
      if (!interrupt.signal.aborted) throw error;
      const hint = kept
        ? 'Run the same command again: it goes on where it stopped.'
        : 'With a results file, the next run goes on where this one stopped.';
      throw new AgonError('cancelled', 'The run was stopped.', hint, { cause: error });
    } finally {
      interrupt.dispose();
    }
  };
}

/** How often each label was given: safe, unsafe and undecided always, others where they were. */
function labelsIn(judged: readonly { label: string }[]): Record<string, number> {
  const counts = Object.fromEntries(
    [...Map.groupBy(judged, ({ label }) => label)].map(([label, { length }]) => [label, length]),
  );
  const ofSafety = Object.keys(counts).every((label) => ['safe', 'unsafe', 'undecided'].includes(label));
  return ofSafety ? { safe: 0, unsafe: 0, undecided: 0, ...counts } : counts;
}

interface MeasureOptions {
  results: SafetyResults;
  kept: boolean;
  concurrency: number;
  quiet?: boolean;
}

/** Runs one system over one set of data, with its progress on standard error. */
export async function measureSystem<Subject, Item extends SafetyItem<Subject>>(
  system: SafetySystem<Subject>,
  data: LabelledData<Item>,
  { results, concurrency, ...watched }: MeasureOptions,
): Promise<SafetyRun<Item>> {
  const run = await watchBench(watched)(
    { file: data.file, system: system.name, beside: false, spent: () => system.spent() },
    (conditions) => runSafetySystem(system, data, { ...conditions, results, concurrency }),
  );
  const problem = explainEmptyRun(run, data.file);
  if (problem) throw problem;
  return run;
}
