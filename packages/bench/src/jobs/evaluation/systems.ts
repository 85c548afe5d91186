import { findLastTurn, type Transcript } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import {
  evaluationJob,
  normalised,
  countExchangeVote,
  evaluationRoles,
  type Distribution,
  type EvaluationAnswer,
  type EvaluationMethod,
  type EvaluationPlan,
  type Exchange,
} from '@agonhq/judges/evaluation';
import { assertDebateHeard } from '@agonhq/judges/job';
import { embeddedModel } from '@agonhq/models/reasoners';
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
  type SharedSystemParts,
  type SystemVariation,
} from '../../systems/open-systems.ts';
import {
  ablate,
  listEntries,
  listSeatAblation,
  reseatSettings,
  toSystemEntry,
  type Ablation,
  type SeatedJob,
  type SystemEntry,
} from '../../systems/system-entry.ts';
import { condenseAnswer, readFigures, type MeasuredSystem } from '../../systems/system.ts';
import type { SafetyJudgement, SafetySystem } from '../safety/run-safety.ts';
import { exchangeReader, type LabelledExchange } from './labelled-exchange.ts';
import type { Evaluator } from './figures.ts';

/** One who evaluates: what RADAR's tables tell apart as well. */
export interface EvaluationSystem extends MeasuredSystem<SafetySystem<Exchange>> {
  evaluator: Evaluator;
  /** Null for systems of others. */
  plan: EvaluationPlan | null;
}

interface Variation extends SystemVariation {
  method: EvaluationMethod;
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
  ...externalSystems,
];

const seated: SeatedJob = { job: evaluationJob, debater: 'auditor', judge: 'arbiter' };

/** RADAR's Table 3: without roles and without debate, and the control. */
const listRadar = () => ablate(listEntries(['debate', 'role-free', 'vote', 'control']));

export const evaluationAblations: Record<string, (settings: Settings) => Ablation> = {
  table3: listRadar,
  rounds: () => ablate(listEntries(['debate']), { rounds: [2, 3, 4, 5] }),
  radar: listRadar,
  seats: () => ablate(listSeatAblation('debate', ['auditor', 'detector', 'critic', 'arbiter'])),
};

/** The evaluators of a bench in their order, a debate for each T and N; without names the debate. */
export async function openEvaluationSystems(
  given: readonly (string | SystemEntry)[] | undefined,
  settings: Settings,
  options: OpenSystemsOptions<LabelledExchange>,
): Promise<OpenSystems<EvaluationSystem>> {
  const entries = (given ?? ['debate'])
    .map(toSystemEntry)
    .flatMap((entry) => (isWholeDebate(entry) ? listGrid(entry, options) : [entry]));
  const calibrated = entries.filter(isWholeDebate).length === 1;
  return openSystems(entries, {
    settings,
    unnamed: given === undefined,
    open: (entry, own) => openSystem(entry, own, { ...options, calibrated }),
  });
}

function isWholeDebate({ system }: SystemEntry): boolean {
  return system === 'debate' || system === 'full';
}

function listGrid(
  entry: SystemEntry,
  { rounds, agents }: Pick<OpenSystemsOptions, 'rounds' | 'agents'>,
): SystemEntry[] {
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

type Surroundings = OpenSystemsOptions<LabelledExchange> & { calibrated: boolean };

async function openSystem(
  entry: SystemEntry,
  settings: Settings,
  surroundings: Surroundings,
): Promise<EvaluationSystem> {
  const { name, system } = entry;
  const { repeats } = surroundings;
  if (isExternalSystem(system)) {
    const external = await openExternalSystems(entry, { reader: exchangeReader, settings, repeats });
    return {
      ...external,
      plan: null,
      evaluator: { name: external.name, method: 'judge', rounds: null, agents: null, models: external.models },
    };
  }
  const variation = await readSystem(system, settings, surroundings);
  return openRepeated(name, variation, repeats, (repeat) => openRepeat(name, variation, repeat, surroundings.parts));
}

async function readSystem(
  system: string,
  settings: Settings,
  { rounds, agents, calibrated, drawExamples }: Surroundings,
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
  const judge = await readJudge(system, () => drawExamples(toShot));
  if (judge) return { kind: 'baseline', method: 'judge', settings: under('judge', judge.shown, judge.seats) };
  const elsewhere = reseatSettings(system, seated, settings);
  if (elsewhere)
    return {
      kind: 'debate',
      method: 'debate',
      settings: mergeSettings(elsewhere, { evaluation: { ...place, method: 'debate' } }),
    };
  throw unknownSystem('evaluators', system, 'evaluator', evaluationSystemNames);
}

/** An example as a judge is shown it; null where it is more than a prompt and a response. */
function toShot({ subject, label }: LabelledExchange) {
  return AgonError.is(subject) || !('prompt' in subject)
    ? null
    : { prompt: subject.prompt, response: subject.response, label };
}

async function openRepeat(
  name: string,
  { method, settings }: Variation,
  repeat: number,
  parts: SharedSystemParts | undefined,
) {
  const { agon, ready, nameDebate } = await openRepeatAgon(evaluationJob, settings, repeat, parts);
  const { configuration, digests, calibration, models, plan } = agon.provenanceOf(evaluationJob);
  const system: SafetySystem<Exchange> = {
    ...ready,
    name,
    configuration,
    digests,
    ...(calibration ? { calibration } : {}),
    async judge(exchange, signal, { tokens }) {
      const answer = await agon.evaluate(exchange, {
        signal,
        ...(method === 'control' ? { tokens: requireTokens(tokens) } : {}),
        ...nameDebate(exchange, configuration),
      });
      return judgementOf(assertDebateHeard(answer));
    },
  };
  const seatedModels = [...new Set(Object.values(models))];
  const rounds = method === 'debate' || method === 'role-free' ? plan.rounds : null;
  const agents = method === 'debate' ? plan.agents : null;
  const evaluator: Evaluator = { name, method, rounds, agents, models: seatedModels };
  return { system, about: { models: seatedModels.flatMap((model) => model.split(', ')), rounds, plan, evaluator } };
}

function judgementOf(answer: EvaluationAnswer): SafetyJudgement {
  const { verdict, transcript } = answer;
  const { label, concept, behaviour, distribution } = verdict;
  return {
    label,
    ...readFigures(answer),
    ...condenseAnswer(answer),
    opening: countExchangeVote(transcript),
    evaluation: { concept, behaviour, distribution, critic: criticIn(transcript) },
    verdict,
  };
}

/** What the critic last stated; null where there is none, or a fallback stood in. */
function criticIn(transcript: Transcript): Distribution | null {
  const turn = findLastTurn(transcript, evaluationRoles.critic);
  return turn && !turn.fallback ? normalised(turn.answer.distribution) : null;
}
