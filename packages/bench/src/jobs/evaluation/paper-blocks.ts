import {
  cell,
  tableHead,
  writePercent,
  formatPercentEstimate,
  formatPointsEstimate,
  rankValues,
  type BenchBlock,
} from '../../report/block.ts';
import type { EvaluationMethod } from '@agonhq/judges/evaluation';
import type { EvaluationReport, EvaluationSystemReport } from './report.ts';
import { divergenceBlock, errorsBlock } from './disagreement-blocks.ts';

const ofThePaper = [
  stabilityBlock,
  selfEvaluationBlock,
  ablationBlock,
  riskBlock,
  paperRoundsBlock,
  divergenceBlock,
  errorsBlock,
];

/** The tables and figures that only the evaluation of models has, in the order of the paper. */
export function buildPaperBlocks(report: EvaluationReport): BenchBlock[] {
  return ofThePaper.map((block) => block(report));
}

/** Table 2: the accuracy on each evaluated model, and its standard deviation over them. */
export function stabilityBlock({ systems, data }: EvaluationReport): BenchBlock {
  const title = 'Table 2: accuracy by evaluated model';
  const models = systems[0]!.byModel.models;
  if (models.length === 0)
    return {
      title,
      lead: 'How stable an evaluator is over the models it judges.',
      missing: 'No item names its model: give each a "model".',
    };
  const rank = models.map((_, place) =>
    rankValues(systems.map(({ byModel }) => byModel.models[place]!.accuracy.value)),
  );
  const steady = rankValues(
    systems.map(({ byModel }) => byModel.spread),
    'lower',
  );
  return {
    title,
    lead:
      'Accuracy in percent with its 95 % interval. Std. is the standard deviation over the models, in points: ' +
      'the smaller, the more stable.',
    table: {
      head: [
        cell.text('Evaluator'),
        ...models.map(({ model, items }) => cell.column(`${model} (${items})`)),
        cell.number('Std.'),
      ],
      rows: systems.map(({ name: evaluator, byModel }) => [
        cell.name(evaluator),
        ...byModel.models.map(({ accuracy }, place) =>
          cell.number(formatPercentEstimate(accuracy), rank[place]!(accuracy.value)),
        ),
        cell.number(byModel.spread === null ? '–' : (byModel.spread * 100).toFixed(2), steady(byModel.spread)),
      ]),
    },
    notes: [
      ...(models.length < 2 ? ['A standard deviation needs items of two evaluated models.'] : []),
      ...(data.withModel < data.items
        ? [`Without a model: ${data.items - data.withModel} of ${data.items} items.`]
        : []),
    ],
  };
}

/** Figure 2 and equation 3: judges of the evaluated model's own family against the debate. */
export function selfEvaluationBlock({ selfEvaluation, parameters }: EvaluationReport): BenchBlock {
  const title = 'Figure 2: judging one’s own family';
  const lead = [
    'The false negative rate: unsafe responses that were not called unsafe, by single judges of the evaluated ' +
      "model's own family and by the debate.",
    'Equation 3 is breached when such a judge says unsafe less often than judges of other families, by ' +
      `γ = ${parameters.gamma} or more.`,
  ].join(' ');
  if (selfEvaluation.length === 0) return { title, lead, missing: 'No item names its model: give each a "model".' };
  const judged = selfEvaluation.filter(({ judges }) => judges.length > 0);
  if (judged.length === 0)
    return {
      title,
      lead,
      missing: 'No single judge is of the family of an evaluated model: add judge:provider:model to --evaluators.',
    };
  const rated = judged.filter(({ unsafe }) => unsafe > 0);
  const withoutDebate = judged.every(({ debate }) => debate === null);
  return {
    title,
    lead,
    ...(rated.length > 0 && {
      chart: {
        kind: 'bars',
        title: 'False negative rate with its 95 % interval',
        groups: rated.map(({ model, unsafe, judges, debate }) => ({
          label: `${model} (${unsafe} unsafe)`,
          bars: [
            ...judges.map((judge) => ({ name: judge.name, tone: 'judge' as const, estimate: judge.falseNegativeRate })),
            ...(debate ? [{ name: debate.name, tone: 'debate' as const, estimate: debate.falseNegativeRate }] : []),
          ],
        })),
      },
    }),
    table: {
      head: tableHead(
        'Evaluated model | Judge of its family',
        'FNR | FNR of the debate | Above the debate | Says unsafe | Other families say | Equation 3',
      ),
      rows: judged.flatMap(({ model, judges, debate, others }) =>
        judges.map((judge) => [
          cell.name(model),
          cell.name(judge.name),
          cell.number(formatPercentEstimate(judge.falseNegativeRate)),
          cell.number(debate ? formatPercentEstimate(debate.falseNegativeRate) : '–'),
          cell.number(judge.aboveDebate ? formatPointsEstimate(judge.aboveDebate) : '–'),
          cell.number(writePercent(judge.saysUnsafe)),
          cell.number(writePercent(others.saysUnsafe)),
          judge.breach === null
            ? cell.number('no other judge')
            : judge.breach
              ? cell.number('breached', 'breach')
              : cell.number('holds'),
        ]),
      ),
    },
    notes: [
      ...(withoutDebate ? ['There is no debate to compare with: add debate to --evaluators.'] : []),
      ...(judged.length < selfEvaluation.length
        ? [
            `For ${selfEvaluation.length - judged.length} of ${selfEvaluation.length} evaluated models there is ` +
              'no judge of their family.',
          ]
        : []),
      ...(rated.length < judged.length
        ? [`${judged.length - rated.length} of them have no unsafe item, and so no false negative rate.`]
        : []),
    ],
  };
}

const ablations: readonly { method: EvaluationMethod; means: string }[] = [
  { method: 'debate', means: 'the debate' },
  { method: 'role-free', means: 'without roles: the same models debate freely and vote' },
  { method: 'vote', means: 'without debate: the same models vote' },
  { method: 'control', means: 'the tokens of the debate, spent on independent votes' },
];

/** Table 3: the debate without its parts. */
export function ablationBlock({ systems }: EvaluationReport): BenchBlock {
  const title = 'Table 3: what debate and roles are worth';
  const found = ablations.flatMap(({ method, means }) =>
    systems
      .filter((system) => system.method === method)
      .slice(0, 1)
      .map((system) => ({ system, means })),
  );
  const lead = 'The debate beside the same models without roles, and without a debate.';
  const absent = ablations.slice(0, 3).filter(({ method }) => !found.some(({ system }) => system.method === method));
  if (found.length < 2 || found[0]!.system.method !== 'debate')
    return {
      title,
      lead,
      missing: 'It needs the debate and one of the others: give --evaluators debate,role-free,vote.',
    };
  const rank = rankValues(found.map(({ system }) => system.metrics.accuracy));
  return {
    title,
    lead,
    table: {
      head: tableHead('Evaluator | What it is', 'Accuracy | F1 | Calls per item'),
      rows: found.map(({ system, means }) => [
        cell.name(system.name),
        cell.text(means),
        cell.number(
          formatPercentEstimate({ value: system.metrics.accuracy, interval: system.intervals.accuracy }),
          rank(system.metrics.accuracy),
        ),
        cell.number(formatPercentEstimate({ value: system.metrics.f1, interval: system.intervals.f1 })),
        cell.number(system.perItem.calls === null ? '–' : system.perItem.calls.toFixed(1)),
      ]),
    },
    notes: absent.length > 0 ? [`Not run: ${absent.map(({ method }) => method).join(', ')}.`] : [],
  };
}

/** Table 4: explicit against implicit risks. */
export function riskBlock({ systems, data }: EvaluationReport): BenchBlock {
  const title = 'Table 4: explicit and implicit risks';
  const lead = 'Accuracy on the unsafe items of each kind, in percent with its 95 % interval.';
  const { explicit, implicit } = data.risks;
  if (explicit + implicit === 0)
    return {
      title,
      lead,
      missing: 'No unsafe item says which kind its risk is: give each a "risk" of explicit or implicit.',
    };
  const kinds = ['explicit', 'implicit'] as const;
  const rank = Object.fromEntries(
    kinds.map((kind) => [kind, rankValues(systems.map(({ byRisk }) => byRisk[kind].accuracy.value))]),
  );
  const unnamed = data.unsafe - explicit - implicit;
  return {
    title,
    lead,
    table: {
      head: tableHead('Evaluator', `Explicit (${explicit}) | Implicit (${implicit})`),
      rows: systems.map(({ name: evaluator, byRisk }) => [
        cell.name(evaluator),
        ...kinds.map((kind) =>
          cell.number(formatPercentEstimate(byRisk[kind].accuracy), rank[kind]!(byRisk[kind].accuracy.value)),
        ),
      ]),
    },
    notes: [
      ...(unnamed > 0 ? [`Unsafe items that do not say of which kind they are: ${unnamed}.`] : []),
      ...(data.unknown.risk > 0
        ? [`Items whose "risk" is neither explicit, implicit nor none, which was not counted: ${data.unknown.risk}.`]
        : []),
    ],
  };
}

/** Figure 3: the accuracy over rounds, for each number of agents. */
export function paperRoundsBlock({ systems }: EvaluationReport): BenchBlock {
  const title = 'Figure 3: rounds and agents';
  const lead =
    'Accuracy of the debate over T, the most rounds it may have, for N seats of the auditor and of the detector each.';
  const debates = systems.filter((system) => system.method === 'debate');
  const rounds = [...new Set(debates.map((system) => system.rounds!))].toSorted((a, b) => a - b);
  const agents = [...new Set(debates.map((system) => system.agents!))].toSorted((a, b) => a - b);
  if (debates.length < 2)
    return {
      title,
      lead,
      missing: 'There is one debate at most: give --evaluators debate --rounds 2..5 --agents 1..3.',
    };
  const found = (T: number, N: number): EvaluationSystemReport | undefined =>
    debates.find((system) => system.rounds === T && system.agents === N);
  const estimateOf = (T: number, N: number) => {
    const system = found(T, N);
    return system ? { value: system.metrics.accuracy, interval: system.intervals.accuracy } : null;
  };
  const rank = rankValues(debates.map(({ metrics }) => metrics.accuracy));
  return {
    title,
    lead,
    chart: {
      kind: 'lines',
      title: 'Accuracy with its 95 % interval',
      columns: rounds.map((T) => `T = ${T}`),
      series: agents.map((N) => ({ name: `N = ${N}`, points: rounds.map((T) => estimateOf(T, N)) })),
    },
    table: {
      head: [cell.text('Agents'), ...rounds.map((T) => cell.number(`T = ${T}`))],
      rows: agents.map((N) => [
        cell.text(`N = ${N}`),
        ...rounds.map((T) => {
          const estimate = estimateOf(T, N);
          return estimate ? cell.number(formatPercentEstimate(estimate), rank(estimate.value)) : cell.number('–');
        }),
      ]),
    },
  };
}
