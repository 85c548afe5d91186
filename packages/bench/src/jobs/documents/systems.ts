import { noUsage } from '@agonhq/engine/debate';
import { claimLabels, documentsJob, type ClaimLabel, type DocumentMethod } from '@agonhq/documents';
import { assertDebateHeard } from '@agonhq/judges/job';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import type { SystemKind } from '../../result.ts';
import { openNamedPredictions, type PredictionReading } from '../../systems/external/predictions.ts';
import {
  openRepeatAgon,
  openRepeated,
  openSystems,
  unknownSystem,
  type OpenSystems,
  type OpenSystemsOptions,
  type SharedSystemParts,
  type SystemVariation,
} from '../../systems/open-systems.ts';
import {
  ablate,
  listSeatAblation,
  reseatSettings,
  type Ablation,
  type SeatedJob,
  type SystemEntry,
} from '../../systems/system-entry.ts';
import type { MeasuredSystem, ReadySystem } from '../../systems/system.ts';
import { analyzeClaimsWith } from './analyze-claims.ts';
import type { LabelledClaim } from './labelled-claim.ts';
import type { ClaimSystem } from './run-claims.ts';

/** A system for claims that is ready to judge, until it is closed. */
export interface OpenClaimSystem extends ClaimSystem, ReadySystem {}

export type DocumentsSystem = MeasuredSystem<OpenClaimSystem>;

const seated: SeatedJob = { job: documentsJob, debater: 'affirmative', judge: 'synthesizer' };

const methods: Record<string, { method: DocumentMethod; kind: SystemKind }> = {
  full: { method: 'debate', kind: 'debate' },
  debate: { method: 'debate', kind: 'debate' },
  embedded: { method: 'debate', kind: 'debate' },
  single: { method: 'single', kind: 'baseline' },
  'zero-shot': { method: 'zero-shot', kind: 'baseline' },
  vote: { method: 'vote', kind: 'baseline' },
  control: { method: 'control', kind: 'control' },
};
export const claimSystemNames = [
  ...Object.keys(methods),
  'all-arbiter',
  'all-debaters',
  'all:provider:model',
  'seat:NAME=provider:model',
  'predictions:NAME=FILE',
];

export const documentsAblations: Record<string, (settings: Settings) => Ablation> = {
  seats: () => ablate(listSeatAblation('full', ['affirmative', 'dissenting', 'synthesizer'])),
};

/** The systems of a bench of documents in their order; without names the debate. */
export async function openClaimSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  { repeats, parts }: Pick<OpenSystemsOptions<LabelledClaim>, 'repeats' | 'parts'>,
): Promise<OpenSystems<DocumentsSystem>> {
  return openSystems<DocumentsSystem>(given ?? ['full'], {
    settings,
    unnamed: given === undefined,
    async open(entry, own) {
      const { name, system } = entry;
      if (system.startsWith('predictions:')) return openPredictedClaims(entry);
      const variation = readSystem(system, own);
      return openRepeated(name, variation, repeats, (repeat) => openRepeat(name, variation.settings, repeat, parts));
    },
  });
}

function readSystem(system: string, settings: Settings): SystemVariation {
  if (Object.hasOwn(methods, system)) {
    const { method, kind } = methods[system]!;
    return { kind, settings: mergeSettings(settings, { documents: { method } }) };
  }
  const elsewhere = reseatSettings(system, seated, settings);
  if (elsewhere) return { kind: 'debate', settings: elsewhere };
  throw unknownSystem('systems', system, 'system', claimSystemNames);
}

async function openRepeat(
  name: string,
  settings: Settings,
  repeat: number,
  parts: SharedSystemParts | undefined,
): Promise<{ system: OpenClaimSystem; about: { models: string[] } }> {
  const { agon, ready } = await openRepeatAgon(documentsJob, settings, repeat, parts);
  const { configuration, models } = agon.provenanceOf(documentsJob);
  const examine = analyzeClaimsWith(async (files, options) => {
    const analysis = await agon.analyze(files, options);
    analysis.claims.forEach((answer) => assertDebateHeard(answer));
    return analysis;
  });
  return { system: { ...ready, name, configuration, examine }, about: { models: Object.values(models) } };
}

const claimWords: Readonly<Record<string, ClaimLabel>> = {
  ...Object.fromEntries(claimLabels.map((label) => [label.replaceAll('-', ''), label])),
  entailed: 'supported',
  entailment: 'supported',
  consistent: 'supported',
  true: 'supported',
  '1': 'supported',
  refuted: 'contradicted',
  contradiction: 'contradicted',
  inconsistent: 'contradicted',
  false: 'contradicted',
  '0': 'contradicted',
  neutral: 'unsupported',
  notmentioned: 'unsupported',
};

/** Predictions of what is right of a claim, as classes of data or as our verdicts: the verdict whose class it is. */
export const claimPredictions: PredictionReading<ClaimLabel> = {
  read(label) {
    const word = label
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]/gu, '');
    return Object.hasOwn(claimWords, word) ? claimWords[word] : undefined;
  },
  labels: `entailed, refuted, neutral, or ${claimLabels.join(', ')}`,
};

async function openPredictedClaims(entry: SystemEntry): Promise<DocumentsSystem> {
  const { predictions, about } = await openNamedPredictions(entry, claimPredictions);
  const unsaid = { rule: 'prediction', cited: null, byModel: {}, turns: [], opening: null };
  const predicted: OpenClaimSystem = {
    name: about.name,
    configuration: predictions.configuration,
    examine: async ({ claims }) =>
      claims.flatMap(({ key, line, item }) => {
        const said = predictions.predict({ line, id: item.id });
        if (!said) return [];
        const { label, score, costUsd, latencyMs } = said;
        return [{ key, label, score, ...unsaid, usage: { ...noUsage, costUsd }, latencyMs }];
      }),
    spent: () => noUsage,
    close: async () => {},
  };
  return { ...about, repeats: [predicted] };
}
