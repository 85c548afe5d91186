import { badFlag } from '@agonhq/engine/agon-error';
import { rememberReadings } from '@agonhq/models/reasoners';
import { nameDataset } from '@agonhq/core/runs';
import type { Settings } from '@agonhq/core/settings';
import { readDataset, type Dataset } from '../datasets/read-dataset.ts';
import type { JobBench } from '../job-bench.ts';
import { requireJobBench } from '../jobs/index.ts';
import { drawExamples } from '../plan/draw-examples.ts';
import { measureSystems, type WatchRun } from '../plan/measure-set.ts';
import { openRecordFile } from '../systems/results.ts';
import type { SystemRun } from '../systems/run-system.ts';
import { readRawData, type RawDataOptions, type RawItem } from './raw-data.ts';
import { screenDataset, type ScreeningReport } from './screen-items.ts';
import { writeScreening, type ScreeningFiles } from './write-screening.ts';

export interface ScreeningPlan {
  /** The id of a job whose items are safe or unsafe. */
  job: string;
  file: string;
  options: RawDataOptions;
  /** Who judges; without names the configuration as it is. */
  systems?: readonly string[];
  settings: Settings;
  /** How many systems must diverge. */
  quorum: number;
  concurrency: number;
  /** Labelled examples for a judge that is shown some. */
  shots?: string;
  /** A results file, to go on from and to keep every judgement in. */
  out?: string;
  files: ScreeningFiles;
}

/** Enough for the texts that every system reads. */
const tokensRemembered = 2_000_000;

interface Looking {
  watch: WatchRun;
  onNote?: (note: string) => void;
}

/** Has several systems judge raw data, and sorts out the items that people should look at. */
export async function runScreening(plan: ScreeningPlan, looking: Looking): Promise<ScreeningReport> {
  const { file, options, files, quorum } = plan;
  const bench = requireJobBench(plan.job);
  const data = await readRawData(bench, file, options);
  const { report, screens } = screenDataset(bench, data, await judgeData(bench, plan, data, looking), quorum);
  await writeScreening({ bench, file, sha256: data.sha256, options }, screens, files);
  return report;
}

async function judgeData(
  bench: JobBench,
  plan: ScreeningPlan,
  data: Dataset<RawItem>,
  { watch, onNote }: Looking,
): Promise<SystemRun[]> {
  const { systems, notes, close } = await bench.openSystems(plan.systems, plan.settings, {
    repeats: 1,
    rounds: [],
    agents: [],
    datasets: [nameDataset(data.file)],
    root: data.root,
    drawExamples: (toExample) =>
      drawExamples(
        { file: plan.shots, seed: 1, measured: data, read: (file) => readDataset(bench, file, {}) },
        toExample,
      ),
  });
  const forget = rememberReadings(tokensRemembered);
  try {
    for (const note of notes) onNote?.(note);
    if (plan.quorum > systems.length)
      throw badFlag(
        `--quorum ${plan.quorum}: so many systems cannot diverge, there are ${systems.length}.`,
        'Give a smaller quorum, or name more --systems.',
      );
    const store = plan.out === undefined ? null : await openRecordFile(plan.out);
    try {
      // Of a judgement, a screening needs label and score: the debates are kept in the file alone.
      const runner = await bench.openRunner(store, { withTurns: false });
      const runs = await measureSystems(data, systems, {
        run: (system, options) => runner.run(system, data, options),
        concurrency: plan.concurrency,
        watch,
        onNote: (note) => onNote?.(note),
      });
      return runs.map(([first]) => first!);
    } finally {
      await store?.close();
    }
  } finally {
    forget();
    await close();
  }
}
