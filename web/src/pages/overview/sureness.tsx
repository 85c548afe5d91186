import type { Overview } from '../../api/types.ts';
import { Calibration, ChartFigure, Histogram } from '../../charts/index.ts';
import { formatCount, formatInterval, formatPercent } from '../../charts/chart-words.ts';
import { Cell, Table } from '../../components/table.tsx';

export function DisagreementFigure({ steps, mean }: { steps: Overview['disagreement']; mean: number | null }) {
  const all = steps.reduce((sum, { cases }) => sum + cases, 0);
  return (
    <ChartFigure
      title="Disagreement"
      lead="How far apart both sides ended, from 0 (of one mind) to 1."
      summary={
        `Disagreement of ${formatCount(all)} cases in ten ` +
        `steps${mean === null ? '' : `; the mean is ${mean.toFixed(2)}`}.`
      }
      table={
        <Table label="Cases by disagreement" head={['Disagreement', 'Cases']}>
          {steps.map(({ from, to, cases }) => (
            <tr key={from}>
              <Cell className="tabular-nums">
                {from.toFixed(1)} to {to.toFixed(1)}
              </Cell>
              <Cell className="tabular-nums">{formatCount(cases)}</Cell>
            </tr>
          ))}
        </Table>
      }
    >
      <Histogram steps={steps} of="Cases" />
    </ChartFigure>
  );
}

export function CalibrationFigure({ calibration: { bins, items, ece } }: { calibration: Overview['calibration'] }) {
  const seen = bins.filter((bin) => bin.items > 0);
  return (
    <ChartFigure
      title="Calibration"
      lead={
        items === 0
          ? 'Comes with the first cases that people decide: then what was said is held against what was right.'
          : 'How sure the verdicts were, against what people decided or labelled data says. On the dashed line ' +
            'both are the same; bars are 95 % intervals.'
      }
      summary={
        `Calibration over ${formatCount(items)} ` +
        `cases${ece === null ? '' : `; expected calibration error ${ece.toFixed(3)}`}. ` +
        `${seen.map(({ predicted, unsafe }) => `Said ${formatPercent(predicted)}, were ${formatPercent(unsafe)}`).join('; ')}.`
      }
      table={
        <Table label="Calibration" head={['Said', 'Cases', 'Mean said', 'Were unsafe', '95 % interval']}>
          {seen.map((bin) => (
            <tr key={bin.from}>
              <Cell className="tabular-nums whitespace-nowrap">
                {formatPercent(bin.from)} to {formatPercent(bin.to)}
              </Cell>
              <Cell className="tabular-nums">{formatCount(bin.items)}</Cell>
              <Cell className="tabular-nums">{formatPercent(bin.predicted)}</Cell>
              <Cell className="tabular-nums">{formatPercent(bin.unsafe)}</Cell>
              <Cell className="tabular-nums whitespace-nowrap">{formatInterval(bin.interval)}</Cell>
            </tr>
          ))}
        </Table>
      }
      aside={
        ece !== null && (
          <p className="text-sm text-quiet">
            Expected calibration error <strong className="font-medium text-ink tabular-nums">{ece.toFixed(3)}</strong>{' '}
            over {formatCount(items)} {items === 1 ? 'case' : 'cases'}.
          </p>
        )
      }
    >
      <Calibration bins={bins} />
    </ChartFigure>
  );
}
