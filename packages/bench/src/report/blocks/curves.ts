import {
  cell,
  formatMean,
  writePercent,
  formatPercentEstimate,
  type BenchBlock,
  type Chart,
  type MeasuredSet,
  tableHead,
} from '../block.ts';

const mostCurves = 6;
const mostDiagrams = 4;

/** ROC and precision-recall curves: the first system and the best of the others, so that they can be told apart. */
export function curvesBlock({ result, figures }: MeasuredSet): BenchBlock | null {
  const drawn = figures.systems.filter(({ roc, precisionRecall }) => roc !== null || precisionRecall !== null);
  if (drawn.length === 0) return null;
  const [first, ...others] = drawn;
  const best = others
    .toSorted((a, b) => (b.scores.auc.value ?? 0) - (a.scores.auc.value ?? 0))
    .slice(0, mostCurves - 1);
  const shown = [first!, ...others.filter((system) => best.includes(system))];
  const items = result.items.filter(({ gold }) => gold !== null);
  const positives = items.filter(({ gold }) => gold === result.positive).length;
  const charts: Chart[] = [
    {
      kind: 'curves',
      title: 'ROC',
      across: 'false alarms',
      up: 'recall',
      chance: 'diagonal',
      series: shown.flatMap(({ name: system, roc, scores }) =>
        roc ? [{ name: system, note: `AUC ${formatPercentEstimate(scores.auc)}`, points: roc }] : [],
      ),
    },
    {
      kind: 'curves',
      title: 'Precision and recall',
      across: 'recall',
      up: 'precision',
      chance: items.length === 0 ? 0 : positives / items.length,
      series: shown.flatMap(({ name: system, precisionRecall, scores }) =>
        precisionRecall
          ? [{ name: system, note: `AP ${formatPercentEstimate(scores.averagePrecision)}`, points: precisionRecall }]
          : [],
      ),
    },
  ];
  return {
    title: 'Curves',
    lead: 'All thresholds at once. The dotted line is guessing.',
    charts,
    ...(shown.length < drawn.length && {
      notes: [`Shown: the first system and the best ${best.length} of the others by AUC.`],
    }),
  };
}

/** Whether 80 percent means 80 percent. */
export function reliabilityBlock({ figures }: MeasuredSet): BenchBlock | null {
  const measured = figures.systems.flatMap(({ name: system, reliability }) =>
    reliability ? [{ system, bins: reliability }] : [],
  );
  if (measured.length === 0) return null;
  const drawn = measured.slice(0, mostDiagrams);
  return {
    title: 'Reliability',
    lead:
      'Whether a score means what it says: items by their score, and the share of them that is in the ' +
      'positive class, with its 95 % interval; and how many items there are.',
    charts: drawn.map(({ system, bins }) => ({ kind: 'reliability', title: 'Reliability', name: system, bins })),
    table: {
      head: tableHead('System | Score', 'Items | mean score | observed | 95 % interval'),
      rows: drawn.flatMap(({ system, bins }) =>
        bins.map(({ from, to, items, meanProbability, share, interval }) => [
          cell.name(system),
          cell.text(`${writePercent(from)}–${writePercent(to)}`),
          cell.amount(items, formatMean),
          cell.amount(meanProbability, writePercent),
          cell.amount(share, writePercent),
          cell.number(interval === null ? '–' : `${writePercent(interval[0])}–${writePercent(interval[1])}`),
        ]),
      ),
    },
    folded: true,
    ...(drawn.length < measured.length && {
      notes: [`The first ${drawn.length} of ${measured.length} systems; --json has all.`],
    }),
  };
}
