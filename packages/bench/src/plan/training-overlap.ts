import { openPrecedents } from '@agonhq/core/app';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import { seedPrecedents } from '@agonhq/models/precedents';
import type { Settings } from '@agonhq/core/settings';
import { loadTrainingFingerprints } from '../datasets/check/fingerprints.ts';
import { checkDataset } from '../datasets/check/check-data.ts';
import { describeLeakage } from '../datasets/check/leakage.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { JobBench } from '../job-bench.ts';
import type { SystemResult } from '../result.ts';
import { inTurn } from '../systems/run-system.ts';
import type { PlannedSet } from './bench-plan.ts';

/** Whether models, or the precedents that a debate is shown, knew the data before they were measured on it. */
export interface TrainingOverlap {
  /** What a reader must know: which items are in the precedent library, or in what a model was trained on. */
  notes: string[];
  /** Whether one of these models was trained on the data. */
  trained(models: readonly string[]): SystemResult['trained'];
}

/** From so large a share of the items on, a model was trained on the set itself. */
const mostOfThem = 0.5;

/** The models that a model's name stands for. */
const modelParts: Record<string, readonly string[]> = { 'embedded:guard-2': ['guard-2'] };

/** Looks for the items in the precedent library and in the training data of the models that ship. */
export async function findTrainingOverlap(
  bench: JobBench,
  data: LabelledData,
  { trained, settings, policy }: Pick<PlannedSet, 'trained' | 'settings' | 'policy'>,
  ledger?: Ledger,
): Promise<TrainingOverlap> {
  const { leakage } = await checkDataset(inTurn(data.lines), (item) => bench.readText(item), {
    precedents: ownJobs.find(bench.job)?.learning ? await readLibrary(settings, { ledger, policy }) : [],
    training: await loadTrainingFingerprints(),
    mostCompared: 0,
  });
  const items = data.lines.filter((line) => 'item' in line).length;
  const shareOf = (model: string) =>
    (leakage.find(({ kind, source }) => kind === 'model' && source === model)?.items ?? 0) / Math.max(1, items);
  return {
    notes: describeLeakage(leakage),
    trained(models) {
      const parts = models.flatMap((model) => modelParts[model] ?? []);
      if (parts.some((model) => shareOf(model) >= mostOfThem)) return 'these-items';
      return models.some((model) => trained.includes(model)) ? 'in-domain' : null;
    },
  };
}

/** The seeds, and the precedents of the ledger where one was given or named. */
async function readLibrary(
  settings: Settings,
  { ledger: given, policy }: { ledger: Ledger | undefined; policy: Policy | undefined },
): Promise<{ id: string; text: string }[]> {
  if (!given && !settings.ledger)
    return seedPrecedents(policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy()));
  const { seeds, ledger, close } = await openPrecedents(ownJobs, settings, process.env, {
    ...(given ? { ledger: given } : {}),
    ...(policy ? { policy } : {}),
  });
  try {
    const kept: { id: string; text: string }[] = [...seeds];
    for await (const precedent of ledger.precedents.listPrecedents({ state: 'active' })) kept.push(precedent);
    return kept;
  } finally {
    await close();
  }
}
