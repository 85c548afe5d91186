import { AgonError } from '../../errors.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import { rememberReadings } from '../../reasoners/index.ts';
import { nameDataset } from '../../runs/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import { measureSystems, type WatchRun } from '../plan/measure-set.ts';
import { drawShots } from '../plan/shots.ts';
import type { OpenSystemsOptions, OpenSystems } from '../systems/open-systems.ts';
import { openEvaluationSystems } from '../jobs/evaluation/systems.ts';
import { openModerationSystems } from '../jobs/moderation/systems.ts';
import { keptJudgementSchema, openRecordFile, readResults, type BenchResults } from '../systems/results.ts';
import type { SystemRun } from '../systems/run-system.ts';
import type { OpenSystem } from '../systems/system.ts';
import { readRawData, type RawDataOptions, type RawItem } from './raw-data.ts';
import { screenDataset, type ScreeningReport } from './screen-items.ts';
import { writeScreening, type ScreeningFiles } from './write-screening.ts';

export interface ScreeningPlan {
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

/** Has several systems judge raw data, and sorts out the items that people should look at. */
export async function runScreening(
  plan: ScreeningPlan,
  looking: { watch: WatchRun; onNote?: (note: string) => void },
): Promise<ScreeningReport> {
  const { file, options, files, quorum } = plan;
  const data = await readRawData(file, options);
  const { report, screens } = screenDataset(options.job, data, await judgedBySystems(plan, data, looking), quorum);
  await writeScreening({ file, sha256: data.sha256, options }, screens, files);
  return report;
}

async function judgedBySystems(
  plan: ScreeningPlan,
  data: LabelledData<RawItem>,
  { watch, onNote }: { watch: WatchRun; onNote?: (note: string) => void },
): Promise<SystemRun<RawItem>[]> {
  const { contenders, notes, close } = await openContenders(plan, data);
  const forget = rememberReadings(tokensRemembered);
  try {
    for (const note of notes) onNote?.(note);
    if (plan.quorum > contenders.length)
      throw new AgonError(
        'bad-flag',
        `--quorum ${plan.quorum}: so many systems cannot diverge, there are ${contenders.length}.`,
        'Give a smaller quorum, or name more --systems.',
      );
    const results = await narrowResults(plan.out);
    try {
      const runs = await measureSystems(data as LabelledData<RawItem<'moderation'>>, contenders, {
        results,
        concurrency: plan.concurrency,
        watch,
        onNote: (note) => onNote?.(note),
      });
      return runs.map(([first]) => first!);
    } finally {
      await results.close();
    }
  } finally {
    forget();
    await close();
  }
}

/** Systems of the job of the data. */
async function openContenders(
  { systems, settings, options, shots }: ScreeningPlan,
  data: LabelledData<RawItem>,
): Promise<OpenSystems<OpenSystem<Content>>> {
  const opening: OpenSystemsOptions = {
    repeats: 1,
    rounds: [],
    agents: [],
    datasets: [nameDataset(data.file)],
    shots: async (job) => (await drawShots(job, shots, 1, data)) as never[],
  };
  if (options.job === 'moderation') return openModerationSystems(systems, settings, opening);
  return openEvaluationSystems(systems, settings, opening);
}

/** Of a judgement, a screening needs label and score: in memory it does without the debates, which a file keeps. */
async function narrowResults(file: string | undefined): Promise<BenchResults> {
  return readResults(
    keptJudgementSchema.transform((judged) => ({ ...judged, turns: [] })),
    file === undefined ? null : await openRecordFile(file),
  );
}
