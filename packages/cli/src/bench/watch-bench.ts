import {
  type WatchRun,
  runSafetySystem,
  explainEmptyRun,
  type LabelledData,
  type SafetyItem,
  type SafetyResults,
  type SafetyRun,
  type SafetySystem,
} from '@agonhq/bench';
import { formatError } from '../print-error.ts';
import { withProgress } from '../terminal/progress-line.ts';

const mostReported = 10;

/**
 * Shows the progress of each run on standard error, reports each failure once, and stops on Ctrl-C. `kept`: whether an
 * interrupted run can continue.
 */
export function watchBench({ quiet, kept }: { quiet?: boolean; kept: boolean }): WatchRun {
  const reported = new Set<string>();
  const hint = kept
    ? 'Run the same command again to continue.'
    : 'With a results file, the next run can continue where this one stopped.';
  return ({ file, system, beside, spent }, work) =>
    withProgress({ quiet, spent, hint }, async (line, signal) => {
      const failures = new Map<string, number>();
      const run = await work({
        onProgress: line.show,
        onError: (error, at) => {
          const said = formatError(error);
          if (reported.has(`${file} ${at} ${said}`)) return;
          reported.add(`${file} ${at} ${said}`);
          const alike = (failures.get(error.code) ?? 0) + 1;
          failures.set(error.code, alike);
          if (alike <= mostReported) line.note(`${file}, ${system}, line ${at}: ${said}`);
        },
        signal,
      });
      for (const [code, count] of failures)
        if (count > mostReported)
          line.note(
            `${file}, ${system}: ${count - mostReported} more items failed with ${code}; the reports list them all.`,
          );
      const judged = run.outcomes.flatMap((outcome) => outcome.judged ?? []);
      line.end(run.summary, countLabels(judged), beside ? system : undefined);
      return run;
    });
}

/** How often each label was given: always safe, unsafe and undecided, others only if they occur. */
function countLabels(judged: readonly { label: string }[]): Record<string, number> {
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
