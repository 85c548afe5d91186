import { createAgon, openPrecedents, type Precedents } from '../../../app/index.ts';
import { noUsage, type PrecedentLibrary } from '../../../debate/index.ts';
import { AgonError } from '../../../errors.ts';
import { hashOf } from '../../../hash.ts';
import {
  moderationJob,
  countOpeningVote,
  removableParts,
  type Content,
  type ModerationAnswer,
  type RemovablePart,
} from '../../../jobs/moderation/index.ts';
import { bareGuard, embeddedModel } from '../../../reasoners/index.ts';
import { assertAffordable } from '../../../runs/index.ts';
import { mergeSettings, type Settings } from '../../../settings/index.ts';
import type { SystemKind } from '../../result.ts';
import { condenseAnswer, type Judgement, type OpenSystem } from '../../systems/system.ts';
import {
  withRepeatCache,
  openSystems,
  type OpenSystemsOptions,
  type OpenSystems,
  type OpenedSystem,
} from '../../systems/open-systems.ts';
import { toSystemEntry, reseatSettings, type SystemEntry, withoutLedger } from '../../systems/system-entry.ts';
import { externalNames, isExternal, openExternalSystems } from '../../systems/external-contenders.ts';
import { openSharedDescriptions, type SharedDescriptions } from './shared-descriptions.ts';

type OpenContent = OpenSystem<Content>;

/** A system of moderation before it is opened. */
interface Variation {
  kind: SystemKind;
  settings: Settings;
}

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
  ...externalNames,
];

/**
 * The systems of a bench of moderation in their order; without names the configuration as it is, called `embedded`
 * when no seat is an LLM's.
 */
export async function openModerationSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  options: OpenSystemsOptions,
): Promise<OpenSystems<OpenContent>> {
  const kept = settings.ledger ? await openPrecedents(settings) : null;
  const sight = await openSharedDescriptions(settings);
  const surroundings: Surroundings = { ...options, sight, kept, library: await kept?.library() };
  const entries = (given ?? ['full']).map(toSystemEntry);
  return openSystems(
    entries,
    {
      settings,
      unnamed: given === undefined,
      options,
      open: (entry) => openContender(entry, mergeSettings(settings, entry.settings ?? {}), surroundings),
    },
    async () => {
      await sight.close();
      await kept?.close();
    },
  );
}

interface Surroundings extends OpenSystemsOptions {
  sight: SharedDescriptions;
  kept: Precedents | null;
  library?: PrecedentLibrary;
}

async function openContender(
  entry: SystemEntry,
  settings: Settings,
  surroundings: Surroundings,
): Promise<OpenedSystem<OpenContent>> {
  const { system, name } = entry;
  if (system === 'guard')
    return { kind: 'baseline', models: [embeddedModel], rounds: null, repeats: [guardAlone(name, surroundings.sight)] };
  if (isExternal(system)) return openExternalSystems('moderation', entry, settings, surroundings);
  const variation = await variationOf(system, settings, surroundings);
  const opened = await Promise.all(
    Array.from({ length: surroundings.repeats }, (_, index) => openRepeat(name, variation, index + 1, surroundings)),
  );
  const { models, rounds } = opened[0]!;
  return { kind: variation.kind, models, rounds, repeats: opened.map((one) => one.system) };
}

async function variationOf(system: string, settings: Settings, { shots }: Surroundings): Promise<Variation> {
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
  const judge = /^judge(?<shots>-4-shot)?(?::(?<model>[^\s:]+:\S+))?$/.exec(system)?.groups;
  if (judge) {
    const seats = judge['model'] === undefined ? {} : { judge: judge['model'] };
    return {
      kind: 'baseline',
      settings: under({ method: 'judge', ...(judge['shots'] ? { shots: await shots('moderation') } : {}) }, seats),
    };
  }
  const rounds = /^rounds-([123])$/.exec(system)?.[1];
  if (rounds !== undefined) return { kind: 'debate', settings: under({ rounds: Number(rounds) }) };
  const elsewhere = reseatSettings(system, 'moderation', settings);
  if (elsewhere) return { kind: 'debate', settings: elsewhere };
  throw new AgonError(
    'bad-flag',
    `--systems ${system}: there is no such system.`,
    `Systems are ${moderationSystemNames.join(', ')}.`,
  );
}

/**
 * One repeat of a system. It draws on the ledger's precedents but for those of the data it is measured on, and leaves
 * no case on record.
 */
async function openRepeat(
  name: string,
  { settings }: Variation,
  repeat: number,
  { sight, kept, library, datasets }: Surroundings,
) {
  const agon = await createAgon(withRepeatCache(repeat, withoutLedger(settings)), {
    jobs: ['moderation'],
    ...(library ? { precedents: library } : {}),
    ...(sight.preprocessor ? { reasoners: { preprocessor: sight.preprocessor } } : {}),
  });
  const { configuration, setup, calibration, models, protocol } = agon.provenanceOf(moderationJob);
  const method = settings.moderation?.method ?? 'debate';
  const system: OpenContent = {
    name,
    configuration,
    ...(setup === undefined ? {} : { setup }),
    ...(calibration ? { calibration } : {}),
    async judge(content, signal, { tokens }) {
      const debate = repeat === 1 ? {} : { debate: `mod-${hashOf([content, configuration, repeat]).slice(7, 23)}` };
      const answer = await agon.moderate(content, {
        signal,
        ...(kept ? { unseen: { datasets } } : {}),
        ...(method === 'control' ? { tokens: requireTokens(tokens) } : {}),
        ...debate,
      });
      return judgementOf(assertAffordable(answer));
    },
    spent: () => agon.spent(),
    close: () => agon.close(),
  };
  const seated = Object.entries(models)
    .filter(([seat]) => seat !== 'preprocessor')
    .map(([, model]) => model);
  const rounds = /(\d+) rounds?\b/.exec(protocol)?.[1];
  return { system, models: [...new Set(seated)], rounds: rounds === undefined ? null : Number(rounds) };
}

/** The control spends what the debate spent: where that is not known, it has nothing to spend. */
export function requireTokens(tokens: number | null | undefined): number {
  if (tokens) return tokens;
  throw new AgonError(
    'no-budget',
    'The debate spent no tokens on this item, so that the control has none to spend.',
    'The line about the debate says why.',
  );
}

function judgementOf(answer: ModerationAnswer): Judgement {
  const { verdict, transcript, provenance } = answer;
  const opening = countOpeningVote(transcript, /\balternate\b/.test(provenance.protocol) ? 'alternate' : 'together');
  return {
    label: verdict.label,
    score: verdict.score,
    probability: verdict.probability,
    ...condenseAnswer(answer),
    opening,
    verdict,
  };
}

/** The embedded guard's score without a debate: what every debate is held against. */
function guardAlone(name: string, sight: SharedDescriptions): OpenContent {
  return {
    name,
    configuration: sight.preprocessor
      ? hashOf([embeddedModel, sight.preprocessor.fingerprint])
      : `${embeddedModel} alone`,
    judge: async (content, signal) => {
      const { label, probability } = await bareGuard(await sight.inWords(content, signal));
      const usage = { ...noUsage, calls: 1 };
      return { label, score: probability, probability, usage, byModel: { [embeddedModel]: usage } };
    },
    spent: () => noUsage,
    close: async () => {},
  };
}
