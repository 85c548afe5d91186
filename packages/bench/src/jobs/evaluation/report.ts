import type { LabelledData } from '../../datasets/read-dataset.ts';
import type { LabelledExchange } from './labelled-exchange.ts';
import { dataFigures, systemFigures, type DataFigures, type SystemFigures } from '../safety/system-figures.ts';
import {
  accuracyByModel,
  type AccuracyByModel,
  accuracyByRisk,
  type AccuracyByRisk,
  repeatFigures,
  type RepeatFigures,
  listRepeats,
  type Evaluator,
  type EvaluatorRuns,
  type ExchangeOutcome,
  findBehaviours,
  countErrorModes,
  type BehaviourSources,
  type ErrorModes,
} from './figures.ts';
import { measureDivergences, type Divergence, measureSelfEvaluation, type SelfEvaluation } from './self-evaluation.ts';
import { meanOf } from '@agonhq/engine/statistics';

/** What `agon bench evaluation --json` prints for one set of data. */
export interface EvaluationReport {
  version: 1;
  job: 'evaluation';
  data: DataFigures & {
    /** How many items say which model was evaluated, and what kind of risk an unsafe one is. */
    withModel: number;
    risks: { explicit: number; implicit: number };
    /** Items whose risk or behaviour is a word we do not know; it counts as absent. */
    unknown: { risk: number; behaviour: number };
    /** Where the behaviours for the second error mode come from. */
    behaviours: BehaviourSources;
  };
  parameters: { delta: number; gamma: number; repeats: number };
  systems: EvaluationSystemReport[];
  /** By evaluated model; none when no item names its model. */
  selfEvaluation: SelfEvaluation[];
  divergence: Divergence[];
  /** What a reader must know before the figures. */
  notes: string[];
}

export interface EvaluationSystemReport extends SystemFigures, Omit<Evaluator, 'name'> {
  repeats: RepeatFigures;
  byModel: AccuracyByModel;
  byRisk: AccuracyByRisk;
  errors: ErrorModes;
  /** The items that were not decided or failed in some repeat. */
  unsettled: { undecided: ReportPlace[]; failed: ReportPlace[] };
  perItem: { calls: number | null; tokens: number | null; costUsd: number | null; latencyMs: number | null };
}

export interface ReportPlace {
  line: number;
  id: string | null;
}

export interface EvaluationReportOptions {
  familyOf: (model: string) => string;
  delta: number;
  gamma: number;
  notes?: readonly string[];
}

/** The figures of evaluators over the same data. */
export function buildEvaluationReport(
  data: LabelledData<LabelledExchange>,
  evaluators: readonly EvaluatorRuns[],
  options: EvaluationReportOptions,
): EvaluationReport {
  const items = data.lines.flatMap((line) => ('item' in line ? [line.item] : []));
  const risks = (risk: 'explicit' | 'implicit') =>
    items.filter((item) => item.label === 'unsafe' && item.risk === risk).length;
  const unknown = (field: 'risk' | 'behaviour') => items.filter((item) => item.unknown.includes(field)).length;
  const debate = evaluators.find(({ evaluator }) => evaluator.method === 'debate');
  const { behaviourOf, sources } = findBehaviours(evaluators[0]!.runs[0]!.outcomes, debate?.runs[0]?.outcomes ?? null);
  return {
    version: 1,
    job: 'evaluation',
    data: {
      ...dataFigures(data),
      withModel: items.filter(({ model }) => model !== null).length,
      risks: { explicit: risks('explicit'), implicit: risks('implicit') },
      unknown: { risk: unknown('risk'), behaviour: unknown('behaviour') },
      behaviours: sources,
    },
    parameters: { delta: options.delta, gamma: options.gamma, repeats: evaluators[0]!.runs.length },
    systems: evaluators.map((evaluator) =>
      systemReport(evaluator, evaluators[0]!, (repeats) => countErrorModes(repeats, behaviourOf)),
    ),
    selfEvaluation: measureSelfEvaluation(evaluators, options),
    divergence: measureDivergences(evaluators, options.delta),
    notes: [...(options.notes ?? [])],
  };
}

function systemReport(
  evaluator: EvaluatorRuns,
  first: EvaluatorRuns,
  errorsOf: (repeats: readonly (readonly ExchangeOutcome[])[]) => ErrorModes,
): EvaluationSystemReport {
  const { name: _, ...about } = evaluator.evaluator;
  const repeats = listRepeats(evaluator);
  const figures = systemFigures(evaluator.runs, first.runs);
  return {
    ...figures,
    ...about,
    repeats: repeatFigures(repeats),
    byModel: accuracyByModel(evaluator),
    byRisk: accuracyByRisk(evaluator),
    errors: errorsOf(repeats),
    unsettled: { undecided: places(repeats, 'undecided'), failed: places(repeats, 'failed') },
    perItem: perItem(evaluator, figures),
  };
}

function places(repeats: readonly (readonly ExchangeOutcome[])[], said: 'undecided' | 'failed'): ReportPlace[] {
  const [first = []] = repeats;
  return first
    .filter((_, item) => repeats.some((outcomes) => outcomes[item]!.said === said))
    .map(({ line, item }) => ({ line, id: item?.id ?? null }));
}

function perItem({ runs }: EvaluatorRuns, { usage }: SystemFigures): EvaluationSystemReport['perItem'] {
  const judged = runs.flatMap((run) => run.judged);
  const each = (total: number) => (judged.length === 0 ? null : total / judged.length);
  return {
    calls: each(usage.calls),
    tokens: each(usage.inputTokens + usage.outputTokens),
    costUsd: usage.costUsd === null ? null : each(usage.costUsd),
    latencyMs: meanOf(judged.flatMap(({ latencyMs }) => latencyMs ?? [])),
  };
}
