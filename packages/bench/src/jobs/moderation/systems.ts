import { openPrecedents, type Precedents } from '@agonhq/core/app';
import { noUsage, type PrecedentLibrary } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import {
  moderationJob,
  countOpeningVote,
  removableParts,
  type Content,
  type ModerationAnswer,
  type RemovablePart,
} from '@agonhq/judges/moderation';
import { assertDebateHeard } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import { bareGuard, embeddedModel } from '@agonhq/models/reasoners';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import { externalSystems, isExternalSystem, openExternalSystems } from '../../systems/external/open-external-system.ts';
import {
  openRepeatAgon,
  openRepeated,
  openSystems,
  readJudge,
  requireTokens,
  unknownSystem,
  type OpenSystems,
  type OpenSystemsOptions,
  type SystemVariation,
} from '../../systems/open-systems.ts';
import {
  ablate,
  listEntries,
  listSeatAblation,
  reseatSettings,
  usesOneModel,
  type Ablation,
  type SeatedJob,
  type SystemEntry,
} from '../../systems/system-entry.ts';
import { condenseAnswer, readFigures, type MeasuredSystem } from '../../systems/system.ts';
import type { SafetyJudgement, SafetySystem } from '../safety/run-safety.ts';
import { readContentAsText, type LabelledContent } from './labelled-content.ts';
import { openSharedDescriptions, type SharedDescriptions } from './shared-descriptions.ts';

export type ModerationSystem = MeasuredSystem<SafetySystem<Content>>;

const seated: SeatedJob = { job: moderationJob, debater: 'strict-debater', judge: 'arbiter' };

const methods = ['judge', 'vote', 'role-free', 'control', 'refusal-match'] as const;
const withoutPart: Record<string, RemovablePart> = {
  'without-precedents': 'retrieval',
  ...Object.fromEntries(removableParts.map((part) => [`without-${part}`, part])),
};
export const moderationSystemNames = [
  'full',
  'debate',
  'guard',
  ...Object.keys(withoutPart),
  ...methods,
  'judge:provider:model',
  'judge-4-shot',
  'judge-4-shot:provider:model',
  'rounds-1',
  'rounds-2',
  'rounds-3',
  'all-arbiter',
  'all-debaters',
  'all:provider:model',
  'seat:NAME=provider:model',
  ...externalSystems,
];

/** Aetheria's Table 3, all eight rows. */
const table3 = listEntries([
  'full',
  'without-retrieval',
  'without-supporter',
  'all-arbiter',
  'all-debaters',
  'without-loose',
  'without-strict',
  'without-debate',
]);

const listRounds = () => ablate(listEntries(['rounds-1', 'rounds-2', 'rounds-3']));

/** Aetheria's two tables, and each seat in turn left to the embedded model. */
export const moderationAblations: Record<string, (settings: Settings) => Ablation> = {
  table3: (settings) =>
    usesOneModel(seated, settings)
      ? ablate(
          table3.filter(({ system }) => !system.startsWith('all-')),
          { notes: ['The rows of Table 3 about model composition do not apply: one model sits in every seat.'] },
        )
      : ablate(table3),
  table4: listRounds,
  rounds: listRounds,
  seats: () => ablate(listSeatAblation('full', ['supporter', 'strict-debater', 'loose-debater', 'arbiter'])),
};

/** The systems of a bench of moderation in their order; without names the configuration as it is. */
export async function openModerationSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  options: OpenSystemsOptions<LabelledContent>,
): Promise<OpenSystems<ModerationSystem>> {
  const { parts, precedents: ledger } = options;
  const kept =
    ledger || settings.ledger
      ? await openPrecedents(ownJobs, settings, parts?.environment, {
          ...(ledger ? { ledger } : {}),
          ...(parts?.policy ? { policy: parts.policy } : {}),
        })
      : null;
  const descriptions = await openSharedDescriptions(settings, parts);
  const surroundings: Surroundings = { ...options, descriptions, kept, library: await kept?.library() };
  return openSystems(
    given ?? ['full'],
    { settings, unnamed: given === undefined, open: (entry, own) => openSystem(entry, own, surroundings) },
    async () => {
      await descriptions.close();
      await kept?.close();
    },
  );
}

const alone = { kind: 'baseline', models: [embeddedModel], of: null, rounds: null } as const;

interface Surroundings extends OpenSystemsOptions<LabelledContent> {
  descriptions: SharedDescriptions;
  kept: Precedents | null;
  library?: PrecedentLibrary;
}

async function openSystem(
  entry: SystemEntry,
  settings: Settings,
  surroundings: Surroundings,
): Promise<ModerationSystem> {
  const { system, name } = entry;
  const { descriptions, repeats } = surroundings;
  if (system === 'guard') return { ...alone, name, repeats: [guardAlone(name, descriptions)] };
  if (isExternalSystem(system))
    return openExternalSystems(entry, {
      reader: readContentAsText(descriptions.describeImages),
      settings,
      repeats,
      fingerprint: descriptions.preprocessor?.fingerprint,
    });
  const variation = await readSystem(system, settings, surroundings);
  return openRepeated(name, variation, repeats, (repeat) => openRepeat(name, variation.settings, repeat, surroundings));
}

async function readSystem(
  system: string,
  settings: Settings,
  { drawExamples }: Surroundings,
): Promise<SystemVariation> {
  const under = (moderation: NonNullable<Settings['moderation']>, seats: Settings['seats'] = {}): Settings =>
    mergeSettings(settings, { moderation, seats, calibration: false });
  if (['full', 'debate', 'embedded'].includes(system)) return { kind: 'debate', settings };
  if (Object.hasOwn(withoutPart, system))
    return {
      kind: 'ablation',
      settings: under({ without: [...(settings.moderation?.without ?? []), withoutPart[system]!] }),
    };
  const other = methods.find((method) => method === system);
  if (other) return { kind: other === 'control' ? 'control' : 'baseline', settings: under({ method: other }) };
  const judge = await readJudge(system, () => drawExamples(toShot));
  if (judge) return { kind: 'baseline', settings: under({ method: 'judge', ...judge.shown }, judge.seats) };
  const rounds = /^rounds-([123])$/.exec(system)?.[1];
  if (rounds !== undefined) return { kind: 'debate', settings: under({ rounds: Number(rounds) }) };
  const elsewhere = reseatSettings(system, seated, settings);
  if (elsewhere) return { kind: 'debate', settings: elsewhere };
  throw unknownSystem('systems', system, 'system', moderationSystemNames);
}

/**
 * One repeat of a system. It draws on the ledger's precedents but for those of the data it is measured on, and leaves
 * no case on record.
 */
async function openRepeat(
  name: string,
  settings: Settings,
  repeat: number,
  { descriptions: { preprocessor }, kept, library, datasets, parts }: Surroundings,
) {
  const { agon, ready, nameDebate } = await openRepeatAgon(moderationJob, settings, repeat, {
    ...parts,
    ...(library ? { precedents: library } : {}),
    ...(preprocessor ? { reasoners: { preprocessor } } : {}),
  });
  const { configuration, setup, digests, calibration, models, protocol } = agon.provenanceOf(moderationJob);
  const method = settings.moderation?.method ?? 'debate';
  const system: SafetySystem<Content> = {
    ...ready,
    name,
    configuration,
    ...(setup === undefined ? {} : { setup }),
    digests,
    ...(calibration ? { calibration } : {}),
    async judge(content, signal, { tokens }) {
      const answer = await agon.moderate(content, {
        signal,
        withoutCopies: true,
        ...(kept ? { unseen: { datasets } } : {}),
        ...(method === 'control' ? { tokens: requireTokens(tokens) } : {}),
        ...nameDebate(content, configuration),
      });
      return judgementOf(assertDebateHeard(answer));
    },
  };
  const seated = Object.entries(models)
    .filter(([seat]) => seat !== 'preprocessor')
    .map(([, model]) => model);
  const rounds = /(?<!\d)(\d+) rounds?\b/.exec(protocol)?.[1];
  return { system, about: { models: seated, rounds: rounds === undefined ? null : Number(rounds) } };
}

/** An example as a judge is shown it; null where an image has no description. */
function toShot({ subject, label }: LabelledContent) {
  if (AgonError.is(subject)) return null;
  const { text, images = [] } = subject;
  const described = images.flatMap((image) => ('description' in image ? [image.description] : []));
  if (described.length < images.length) return null;
  return {
    ...(text === undefined ? {} : { text }),
    ...(described.length > 0 ? { image_description: described.join(' ') } : {}),
    label,
  };
}

function judgementOf(answer: ModerationAnswer): SafetyJudgement {
  const { verdict, transcript, provenance } = answer;
  const opening = countOpeningVote(transcript, /\balternate\b/.test(provenance.protocol) ? 'alternate' : 'together');
  return {
    label: verdict.label,
    ...readFigures(answer),
    ...condenseAnswer(answer),
    opening,
    verdict,
  };
}

/** The embedded guard's score without a debate: what every debate is held against. */
function guardAlone(name: string, { preprocessor, describeImages }: SharedDescriptions): SafetySystem<Content> {
  return {
    name,
    configuration: preprocessor ? hashOf([embeddedModel, preprocessor.fingerprint]) : `${embeddedModel} alone`,
    judge: async (content, signal) => {
      const { label, probability } = await bareGuard(await describeImages(content, signal));
      const usage = { ...noUsage, calls: 1 };
      return { label, score: probability, probability, usage, byModel: { [embeddedModel]: usage } };
    },
    spent: () => noUsage,
    close: async () => {},
  };
}
