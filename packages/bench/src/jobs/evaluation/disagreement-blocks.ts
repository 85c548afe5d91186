import { cell, formatMean, tableHead, type BenchBlock } from '../../report/block.ts';
import { divergenceSmoothing } from './self-evaluation.ts';
import { modes } from './figures.ts';
import type { EvaluationReport } from './report.ts';

/** Equation 2: how far each evaluator's distributions are from each other's. */
export function divergenceBlock({ systems, divergence, parameters }: EvaluationReport): BenchBlock {
  const title = 'Divergence between evaluators';
  const lead = [
    `Equation 2: the mean over items of KL(row ‖ column), in nats, each side smoothed by ${divergenceSmoothing}.`,
    `A pair at δ = ${parameters.delta} or above is biased relative to each other and marked.`,
  ].join(' ');
  if (systems.length < 2) return { title, lead, missing: 'It needs two evaluators: give --evaluators debate,judge.' };
  const find = (first: string, second: string) =>
    divergence.find((pair) => pair.first === first && pair.second === second);
  const breaches = divergence.filter(({ breach }) => breach).length;
  return {
    title,
    lead,
    table: {
      head: [cell.text('KL(row ‖ column)'), ...systems.map((system) => cell.column(system.name))],
      rows: systems.map((row) => [
        cell.name(row.name),
        ...systems.map((other) => {
          const pair = find(row.name, other.name);
          if (!pair) return cell.number('');
          return cell.number(
            pair.value === null ? '–' : `${pair.value.toFixed(3)}${pair.over === 'labels' ? '*' : ''}`,
            pair.breach ? 'breach' : undefined,
          );
        }),
      ]),
    },
    notes: [
      `${breaches} of ${divergence.length} ordered pairs reach δ.`,
      ...(divergence.some(({ over }) => over === 'labels')
        ? ['* Over safe and unsafe alone: one of the two states no distribution over the risk concepts.']
        : []),
    ],
  };
}

/** Errors by the paper's two modes. */
export function errorsBlock({ systems, data, parameters }: EvaluationReport): BenchBlock {
  const { debate, unknown } = data.behaviours;
  return {
    title: 'Errors by mode',
    lead: [
      'Mode (i): an unsafe response called safe whose danger no rule lists (an implicit risk).',
      'Mode (ii): a safe response called unsafe that was beside the point without refusing.',
      ...(parameters.repeats > 1 ? ['Means over repeats.'] : []),
    ].join(' '),
    table: {
      head: tableHead(
        'Evaluator',
        '(i) implicit, missed | (ii) irrelevant, called unsafe | Other misses | Other false alarms | ' +
          'Undecided | Failed | Together',
      ),
      rows: systems.map(({ name: evaluator, errors }) => {
        const counts = modes.map((mode) => errors[mode]);
        return [
          cell.name(evaluator),
          ...counts.map((count) => cell.number(formatMean(count))),
          cell.number(formatMean(counts.reduce((sum, count) => sum + count, 0))),
        ];
      }),
    },
    notes: [
      ...(data.risks.implicit === 0
        ? ['No unsafe item is marked as an implicit risk: misses cannot be told apart, and mode (i) is empty.']
        : []),
      ...(debate > 0
        ? [
            'Items for which the debate\'s verdict says what the response did, since the data has no "behaviour": ' +
              `${debate}.`,
          ]
        : []),
      ...(unknown > 0
        ? [
            'Items for which neither the data nor a debate says what the response did, so that mode (ii) leaves ' +
              `them out: ${unknown}.`,
          ]
        : []),
      ...(data.unknown.behaviour > 0
        ? [
            'Items whose "behaviour" is none of refused, complied, irrelevant, which was not counted: ' +
              `${data.unknown.behaviour}.`,
          ]
        : []),
    ],
  };
}
