import path from 'node:path';
import { createAgon } from '../agon.ts';
import type { Evaluator, Judgement } from '../bench/index.ts';
import { lastTurnOf, type Transcript } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import {
  normalised,
  type Critique, type Distribution, type EvaluationAnswer, type EvaluationMethod, type EvaluationPlan, type EvaluationProvenance, type Exchange,
} from '../evaluation/index.ts';
import { hashOf } from '../hash.ts';
import { embeddedModel } from '../reasoners/index.ts';
import { mergeSettings, type Settings } from '../settings/index.ts';
import { affordable } from '../runs/index.ts';
import type { OpenSystem } from './bench-systems.ts';
import { assertCountable } from './control-budget.ts';
import { offTheRecord } from './off-the-record.ts';

/** What is measured, before it is put together. */
interface EvaluatorPlan {
  name: string;
  method: EvaluationMethod;
  rounds?: number;
  agents?: number;
  /** The model of a single judge. */
  judge?: string;
}

/** An evaluator that is ready to judge: a system for each repeat, whose answers are its own. */
export interface OpenEvaluator {
  evaluator: Evaluator;
  plan: EvaluationPlan;
  repeats: readonly OpenSystem<Exchange>[];
}

export interface EvaluatorOptions {
  names?: readonly string[];
  rounds: readonly number[];
  agents: readonly number[];
  repeats: number;
  /** What the control may spend on an exchange in a repeat: what the debate spent on it. */
  budgetOf: (repeat: number, exchange: Exchange) => number | null;
}

const others = ['vote', 'role-free', 'control', 'prefix-match', 'pattern-match'] as const;
const known = ['debate', ...others, 'judge', 'judge:provider:model', 'guard'];

/** The evaluators of `--evaluators` in their order; without it the debate, called `embedded` when no seat is an LLM's. */
export async function openEvaluators(settings: Settings, options: EvaluatorOptions): Promise<{ evaluators: OpenEvaluator[]; notes: string[] }> {
  const plans = [...new Set(options.names ?? ['debate'])].flatMap((name) => plansFor(name, options));
  const debates = plans.filter(({ method }) => method === 'debate').length;
  if (plans.some(({ method }) => method === 'control') && debates === 0) {
    throw new AgonError('bad-flag', '--evaluators control: it spends what the debate spent, and no debate is measured.', 'Write --evaluators debate,control.');
  }
  const opened = await Promise.all(plans.map((plan) => openEvaluator(plan, settings, { ...options, calibrated: plan.method === 'debate' && debates === 1 })));
  const evaluators = opened.filter(({ evaluator }) => !(evaluator.method === 'control' && evaluator.models.every((models) => models.split(', ').every(isEmbedded))));
  if (evaluators.some(({ evaluator }) => evaluator.method === 'control')) assertCountable(settings);
  const [only] = evaluators;
  if (!options.names && evaluators.length === 1 && only!.evaluator.models.every(isEmbedded)) return { evaluators: [renamed(only!, 'embedded')], notes: [] };
  const left = opened.length > evaluators.length ? ['control does not apply: it spends the tokens of the debate on independent votes, and embedded seats spend no tokens.'] : [];
  return { evaluators, notes: left };
}

function plansFor(name: string, { rounds, agents }: EvaluatorOptions): EvaluatorPlan[] {
  const grid = (rounds.length > 0 ? rounds : [undefined]).flatMap((T) => (agents.length > 0 ? agents : [undefined]).map((N) => ({ rounds: T, agents: N })));
  if (name === 'debate') return grid.map((place) => ({ name: grid.length === 1 ? name : inGrid(place), method: name, ...place }));
  const other = others.find((method) => method === name);
  if (other) return [{ name, method: other, ...grid[0] }];
  // Rounds and agents mean nothing to a judge, but as everywhere they are part of the configuration that `agon evaluate` builds.
  if (name === 'judge') return [{ name, method: 'judge', ...grid[0] }];
  if (name === 'guard') return [{ name, method: 'judge', judge: embeddedModel, ...grid[0] }];
  const model = /^judge:([^\s:]+:\S+)$/.exec(name)?.[1];
  if (model) return [{ name, method: 'judge', judge: model, ...grid[0] }];
  throw new AgonError('bad-flag', `--evaluators ${name}: there is no such evaluator.`, `Evaluators are ${known.join(', ')}.`);
}

function inGrid({ rounds, agents }: { rounds?: number; agents?: number }): string {
  return ['debate', rounds !== undefined && `T=${rounds}`, agents !== undefined && `N=${agents}`].filter(Boolean).join(' ');
}

async function openEvaluator(planned: EvaluatorPlan, settings: Settings, options: EvaluatorOptions & { calibrated: boolean }): Promise<OpenEvaluator> {
  const { name, method, rounds, agents, judge } = planned;
  const own: Settings = mergeSettings(settings, {
    evaluation: { method, ...(rounds === undefined ? {} : { rounds }), ...(agents === undefined ? {} : { agents }) },
    ...(judge === undefined ? {} : { seats: { judge } }),
    // A calibration belongs to the debate it was fitted on, and to nothing beside it.
    ...(options.calibrated ? {} : { calibration: false }),
  });
  const opened = [];
  for (let repeat = 1; repeat <= options.repeats; repeat++) opened.push(await openRepeat(planned, own, repeat, options));
  const { models, plan } = opened[0]!.provenance;
  const rounded = method === 'debate' || method === 'role-free';
  return {
    evaluator: { name, method, rounds: rounded ? plan.rounds : null, agents: method === 'debate' ? plan.agents : null, models: [...new Set(Object.values(models))] },
    plan,
    repeats: opened.map(({ system }) => system),
  };
}

async function openRepeat(
  { name, method }: EvaluatorPlan,
  settings: Settings,
  repeat: number,
  { budgetOf }: EvaluatorOptions,
): Promise<{ system: OpenSystem<Exchange>; provenance: EvaluationProvenance }> {
  const agon = await createAgon(cachedFor(repeat, offTheRecord(settings)), { jobs: ['evaluation'] });
  const provenance = agon.evaluationProvenance();
  const { configuration, calibration } = provenance;
  const system: OpenSystem<Exchange> = {
    name,
    configuration,
    ...(calibration ? { calibration } : {}),
    judge: async (exchange, signal) => {
      const budget = method === 'control' ? { tokens: budgetFor(budgetOf(repeat, exchange)) } : {};
      const debate = repeat === 1 ? {} : { debate: `eval-${hashOf([exchange, configuration, repeat]).slice(7, 23)}` };
      return judgementOf(affordable(await agon.evaluate(exchange, { signal, ...budget, ...debate })));
    },
    spent: () => agon.spent(),
    close: () => agon.close(),
  };
  return { system, provenance };
}

/** Each repeat after the first has a folder of its own below the cache: it must not be told what an earlier one heard. */
function cachedFor(repeat: number, settings: Settings): Settings {
  if (repeat === 1 || !settings.cache || settings.cache === 'ledger') return settings;
  return { ...settings, cache: { ...settings.cache, directory: path.join(settings.cache.directory, `repeat-${repeat}`) } };
}

function budgetFor(tokens: number | null): number {
  if (tokens !== null) return tokens;
  throw new AgonError('no-budget', 'The debate spent no tokens on this item, so that the control has none to spend.', 'The line about the debate says why.');
}

function judgementOf({ verdict, usage, transcript }: EvaluationAnswer): Judgement {
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd } = usage;
  const { label, score, probability, concept, behaviour, distribution } = verdict;
  return {
    label,
    score,
    probability,
    usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd },
    evaluation: { concept, behaviour, distribution, critic: criticIn(transcript) },
    verdict,
  };
}

/** What the critic last stated; null where there is none, or a fallback stood in. */
function criticIn(transcript: Transcript): Distribution | null {
  const turn = lastTurnOf(transcript, 'critic');
  return turn && !turn.fallback ? normalised((turn.answer as Critique).distribution) : null;
}

function renamed({ evaluator, repeats, plan }: OpenEvaluator, name: string): OpenEvaluator {
  return { evaluator: { ...evaluator, name }, plan, repeats: repeats.map((system) => ({ ...system, name })) };
}

function isEmbedded(model: string): boolean {
  return model === embeddedModel;
}
