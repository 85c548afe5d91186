import { headOf, number, percentEstimate, pointsEstimate, words, type Block, type Table } from '../rendering/block.ts';
import type { Figures, LearningReport } from './report.ts';

const whole = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

/** Figure 3 of the paper, and the table behind it. */
export function figureThree({ batches, afterFirst, parameters, data }: LearningReport): Block {
  return {
    title: 'Sequential batches',
    lead:
      'F1 on each batch, without memory and with what was learnt from the batches before it. The library is ' +
      `empty at first; ${parameters.mode === 'all' ? 'every item' : 'every mistake'} of a batch goes through ` +
      'the curator when the batch is over.',
    chart: {
      kind: 'lines',
      title: 'F1 by batch',
      columns: batches.map(({ batch }) => `B${batch}`),
      series: [
        { name: 'continuous learning', points: batches.map(({ learner }) => learner) },
        { name: 'zero-shot control', points: batches.map(({ control }) => control) },
      ],
    },
    table: tableOf(batches, afterFirst),
    notes: [
      `${data.items} items, ${data.unsafe} unsafe, in ${batches.length} batches with the same share of labels and ` +
        `modalities; seed ${parameters.seed}${parameters.repeats > 1 ? ` and ${parameters.repeats - 1} more, averaged` : ''}.`,
      'An item, its copies and what comes from its own batch or a later one are never shown to it. Intervals: 95 ' +
        '%, by bootstrap; differences on the same resamples.',
    ],
  };
}

function tableOf(batches: LearningReport['batches'], afterFirst: Figures | null): Table {
  const cells = ({ items, control, learner, difference }: Figures) => [
    number(String(items)),
    number(percentEstimate(control)),
    number(percentEstimate(learner)),
    number(pointsEstimate(difference)),
  ];
  return {
    head: headOf(['batch', 'items', 'F1 zero-shot', 'F1 learning', 'difference', 'library', 'learnt', 'left out']),
    rows: [
      ...batches.map((batch) => [
        words(`B${batch.batch}`),
        ...cells(batch),
        number(whole(batch.library)),
        number(whole(batch.learnt)),
        number(whole(batch.leftOut)),
      ]),
      ...(afterFirst ? [[words('after B1'), ...cells(afterFirst), number(''), number(''), number('')]] : []),
    ],
  };
}
