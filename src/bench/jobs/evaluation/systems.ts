import { createAgon } from '../../../app/index.ts';
import { findLastTurn, type Transcript } from '../../../debate/index.ts';
import { AgonError } from '../../../errors.ts';
import {
  evaluationJob,
  normalised,
  countOpeningVote,
  type Critique,
  type Distribution,
  type EvaluationAnswer,
  type EvaluationMethod,
  type EvaluationPlan,
  type Exchange,
} from '../../../jobs/evaluation/index.ts';
import { hashOf } from '../../../hash.ts';
import { embeddedModel } from '../../../reasoners/index.ts';
import { assertAffordable } from '../../../runs/index.ts';
import { mergeSettings, type Settings } from '../../../settings/index.ts';
import type { Evaluator } from './figures.ts';
import type { SystemKind } from '../../result.ts';
import { condenseAnswer, type MeasuredSystem, type Judgement, type OpenSystem } from '../../systems/system.ts';
import {
  withRepeatCache,
  openSystems,
  type OpenSystemsOptions,
  type OpenSystems,
  type OpenedSystem,
} from '../../systems/open-systems.ts';
import { toSystemEntry, reseatSettings, type SystemEntry, withoutLedger } from '../../systems/system-entry.ts';
import { externalNames, isExternal, openExternalSystems } from '../../systems/external-contenders.ts';
import { requireTokens } from '../moderation/systems.ts';

/** One who evaluates: what RADAR's tables tell apart as well. */
export interface EvaluationSystem extends MeasuredSystem<OpenSystem<Exchange>> {
  evaluator: Evaluator;
  /** Null for systems of others. */
  plan: EvaluationPlan | null;
}

interface Variation {
  kind: SystemKind;
  method: EvaluationMethod;
  settings: Settings;
}

const methods = ['vote', 'role-free', 'control', 'prefix-match', 'pattern-match'] as const;
export const evaluationSystemNames = [
  'debate',
  'full',
  ...methods,
  'judge',
  'judge:provider:model',
  'judge-4-shot',
  'judge-4-shot:provider:model',
  'guard',
  'all-arbiter',
  'all-debaters',
  'all:provider:model',
  'seat:NAME=provider:model',
  ...externalNames,
];

/**
 * The evaluators of a bench in their order, a debate for each T and N; without names the debate, called `embedded`
 * when no seat is an LLM's.
 */
export async function openEvaluationSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  options: OpenSystemsOptions,
): Promise<OpenSystems<OpenSystem<Exchange>, EvaluationSystem>> {
  const entries = (given ?? ['debate'])
    .map(toSystemEntry)
    .flatMap((entry) => (entry.system === 'debate' || entry.system === 'full' ? inGrid(entry, options) : [entry]));
  const debates = entries.filter(({ system }) => system === 'debate' || system === 'full').length;
  return openSystems(entries, {
    settings,
    unnamed: given === undefined,
    options,
    open: (entry) =>
      openContender(entry, mergeSettings(settings, entry.settings ?? {}), { ...options, calibrated: debates === 1 }),
  });
}

/** A debate for each combination of rounds and agents. */
function inGrid(entry: SystemEntry, { rounds, agents }: OpenSystemsOptions): SystemEntry[] {
  const grid = (rounds.length > 0 ? rounds : [undefined]).flatMap((T) =>
    (agents.length > 0 ? agents : [undefined]).map((N) => ({ rounds: T, agents: N })),
  );
  return grid.map((place) => ({
    name:
      grid.length === 1
        ? entry.name
        : [
            entry.name,
            place.rounds !== undefined && `T=${place.rounds}`,
            place.agents !== undefined && `N=${place.agents}`,
          ]
            .filter(Boolean)
            .join(' '),
    system: 'debate',
    settings: mergeSettings(entry.settings ?? {}, { evaluation: placed(place) }),
  }));
}

function placed({ rounds, agents }: { rounds?: number; agents?: number }): NonNullable<Settings['evaluation']> {
  return { ...(rounds === undefined ? {} : { rounds }), ...(agents === undefined ? {} : { agents }) };
}

type Surroundings = OpenSystemsOptions & { calibrated: boolean };

async function openContender(
  entry: SystemEntry,
  settings: Settings,
  surroundings: Surroundings,
): Promise<OpenedSystem<OpenSystem<Exchange>, EvaluationSystem>> {
  const { name, system } = entry;
  if (isExternal(system)) {
    const external = await openExternalSystems('evaluation', entry, settings, surroundings);
    return {
      ...external,
      plan: null,
      evaluator: { name: external.name ?? name, method: 'judge', rounds: null, agents: null, models: external.models },
    };
  }
  const { kind, method, settings: own } = await variationOf(system, settings, surroundings);
  const opened = await Promise.all(
    Array.from({ length: surroundings.repeats }, (_, index) => openRepeat(name, method, own, index + 1)),
  );
  const { models, plan } = opened[0]!.provenance;
  const rounds = method === 'debate' || method === 'role-free' ? plan.rounds : null;
  const seated = [...new Set(Object.values(models))];
  return {
    kind,
    models: [...new Set(seated.flatMap((model) => model.split(', ')))],
    rounds,
    plan,
    evaluator: { name, method, rounds, agents: method === 'debate' ? plan.agents : null, models: seated },
    repeats: opened.map((one) => one.system),
  };
}

async function variationOf(
  system: string,
  settings: Settings,
  { rounds, agents, calibrated, shots }: Surroundings,
): Promise<Variation> {
  // Rounds and agents mean nothing to a judge, but as everywhere they are part of the configuration that `agon
  // evaluate` builds.
  const place = placed({ rounds: rounds[0], agents: agents[0] });
  // A calibration belongs to the debate it was fitted on, and to nothing beside it.
  const under = (
    method: EvaluationMethod,
    more: NonNullable<Settings['evaluation']> = {},
    seats: Settings['seats'] = {},
  ) => mergeSettings(settings, { evaluation: { ...place, ...more, method }, seats, calibration: false });
  if (system === 'debate' || system === 'embedded')
    return {
      kind: 'debate',
      method: 'debate',
      settings: mergeSettings(settings, {
        evaluation: { method: 'debate' },
        ...(calibrated ? {} : { calibration: false }),
      }),
    };
  const other = methods.find((method) => method === system);
  if (other)
    return {
      kind: other === 'control' ? 'control' : other === 'vote' || other === 'role-free' ? 'ablation' : 'baseline',
      method: other,
      settings: under(other),
    };
  if (system === 'guard')
    return { kind: 'baseline', method: 'judge', settings: under('judge', {}, { judge: embeddedModel }) };
  const judge = /^judge(?<shots>-4-shot)?(?::(?<model>[^\s:]+:\S+))?$/.exec(system)?.groups;
  if (judge) {
    const seats = judge['model'] === undefined ? {} : { judge: judge['model'] };
    return {
      kind: 'baseline',
      method: 'judge',
      settings: under('judge', judge['shots'] ? { shots: await shots('evaluation') } : {}, seats),
    };
  }
  const elsewhere = reseatSettings(system, 'evaluation', settings);
  if (elsewhere)
    return {
      kind: 'debate',
      method: 'debate',
      settings: mergeSettings(elsewhere, { evaluation: { ...place, method: 'debate' } }),
    };
  throw new AgonError(
    'bad-flag',
    `--evaluators ${system}: there is no such evaluator.`,
    `Evaluators are ${evaluationSystemNames.join(', ')}.`,
  );
}

async function openRepeat(name: string, method: EvaluationMethod, settings: Settings, repeat: number) {
  const agon = await createAgon(withRepeatCache(repeat, withoutLedger(settings)), { jobs: ['evaluation'] });
  const provenance = agon.provenanceOf(evaluationJob);
  const { configuration, calibration } = provenance;
  const system: OpenSystem<Exchange> = {
    name,
    configuration,
    ...(calibration ? { calibration } : {}),
    async judge(exchange, signal, { tokens }) {
      const debate = repeat === 1 ? {} : { debate: `eval-${hashOf([exchange, configuration, repeat]).slice(7, 23)}` };
      return judgementOf(
        assertAffordable(
          await agon.evaluate(exchange, {
            signal,
            ...(method === 'control' ? { tokens: requireTokens(tokens) } : {}),
            ...debate,
          }),
        ),
      );
    },
    spent: () => agon.spent(),
    close: () => agon.close(),
  };
  return { system, provenance };
}

function judgementOf(answer: EvaluationAnswer): Judgement {
  const { verdict, transcript } = answer;
  const { label, score, probability, concept, behaviour, distribution } = verdict;
  return {
    label,
    score,
    probability,
    ...condenseAnswer(answer),
    opening: countOpeningVote(transcript),
    evaluation: { concept, behaviour, distribution, critic: criticIn(transcript) },
    verdict,
  };
}

/** What the critic last stated; null where there is none, or a fallback stood in. */
function criticIn(transcript: Transcript): Distribution | null {
  const turn = findLastTurn(transcript, 'critic');
  return turn && !turn.fallback ? normalised((turn.answer as Critique).distribution) : null;
}
