import type { Overview } from '../../api/types.ts';
import { Calibration, ChartFigure, Histogram } from '../../charts/index.ts';
import { count, intervalWords, percent } from '../../charts/chart-words.ts';
import { Cell, Table } from '../../components/table.tsx';

export function DisagreementFigure({ steps, mean }: { steps: Overview['disagreement']; mean: number | null }) {
  const all = steps.reduce((sum, { cases }) => sum + cases, 0);
  return (
    <ChartFigure
      title="Disagreement"
      lead="How far apart both sides ended, from 0 (of one mind) to 1."
      summary={
        `Disagreement of ${count(all)} cases in ten ` +
        `steps${mean === null ? '' : `; the mean is ${mean.toFixed(2)}`}.`
      }
      table={
        <Table label="Cases by disagreement" head={['Disagreement', 'Cases']}>
          {steps.map(({ from, to, cases }) => (
            <tr key={from}>
              <Cell className="tabular-nums">
                {from.toFixed(1)} to {to.toFixed(1)}
              </Cell>
              <Cell className="tabular-nums">{count(cases)}</Cell>
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
        `Calibration over ${count(items)} ` +
        `cases${ece === null ? '' : `; expected calibration error ${ece.toFixed(3)}`}. ` +
        `${seen.map(({ predicted, unsafe }) => `Said ${percent(predicted)}, were ${percent(unsafe)}`).join('; ')}.`
      }
      table={
        <Table label="Calibration" head={['Said', 'Cases', 'Mean said', 'Were unsafe', '95 % interval']}>
          {seen.map((bin) => (
            <tr key={bin.from}>
              <Cell className="tabular-nums whitespace-nowrap">
                {percent(bin.from)} to {percent(bin.to)}
              </Cell>
              <Cell className="tabular-nums">{count(bin.items)}</Cell>
              <Cell className="tabular-nums">{percent(bin.predicted)}</Cell>
              <Cell className="tabular-nums">{percent(bin.unsafe)}</Cell>
              <Cell className="tabular-nums whitespace-nowrap">{intervalWords(bin.interval)}</Cell>
            </tr>
          ))}
        </Table>
      }
      aside={
        ece !== null && (
          <p className="text-sm text-quiet">
            Expected calibration error <strong className="font-medium text-ink tabular-nums">{ece.toFixed(3)}</strong>{' '}
            over {count(items)} {items === 1 ? 'case' : 'cases'}.
          </p>
        )
      }
    >
      <Calibration bins={bins} />
    </ChartFigure>
  );
}
