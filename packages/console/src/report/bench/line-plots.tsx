import type { Chart as BlockChart, CurvesChart, ReliabilityChart, TrajectoryChart } from '@agonhq/bench/report/block';
import { formatPercentEstimate, writePercent } from '@agonhq/bench/report/block';
import { shortenName, writePlural } from '@agonhq/bench/report/write-values';
import type { ResultTurn } from '@agonhq/bench/result';
import { shortenCharacters } from '@agonhq/engine/text';
import { type Axis, AxisText, Chart, DottedLine, OwnWords, Plot, roundPlace, scaleShares } from './plot.tsx';
import { Series, SeriesLegend } from './plot.tsx';

/** Values over columns, a line for each series. */
export function LinesPlot({ title, columns, series }: Extract<BlockChart, { kind: 'lines' }>) {
  const description = series.flatMap(({ name, points }) =>
    points.flatMap((point, column) =>
      point ? [`${shortenName(name)}, ${columns[column]}: ${formatPercentEstimate(point)}.`] : [],
    ),
  );
  // Side by side within a column, so that whiskers of one value do not hide each other.
  const aside = (number: number) => 0.5 + (number - (series.length - 1) / 2) * 0.03 * columns.length;
  return (
    <Chart title={title} legend={<SeriesLegend series={series} />}>
      <Plot
        title={title}
        description={description}
        size={[500, 290]}
        across={columnAxis(columns)}
        up={scaleShares(series.flatMap(({ points }) => points))}
      >
        {(place) =>
          series.map(({ points }, number) => (
            <Series
              key={number}
              number={number}
              place={place}
              mark={5}
              points={points.flatMap((point, column) =>
                point === null || point.value === null
                  ? []
                  : [{ x: column + aside(number), y: point.value, range: point.interval }],
              )}
            />
          ))
        }
      </Plot>
    </Chart>
  );
}

function columnAxis(columns: readonly string[]): Axis {
  return { ticks: columns.map((name, column) => [column + 0.5, name]), ends: [0, Math.max(1, columns.length)] };
}

/* The unit square. */
const shareTicks = [0, 0.25, 0.5, 0.75, 1].map((share) => [share, share * 100] as const);
const square = [380, 360] as const;

/** ROC and precision-recall curves: several systems in one square. */
export function CurvesPlot({ title, across, up, chance, series }: CurvesChart) {
  const description = [
    `${up} over ${across}, in percent. The thin line is guessing.`,
    ...series.map(({ name, note }) => `${shortenName(name)}: ${note}.`),
  ];
  const [from, to] = chance === 'diagonal' ? [0, 1] : [chance, chance];
  return (
    <Chart title={title} legend={<SeriesLegend series={series} />}>
      <Plot
        title={title}
        description={description}
        size={square}
        className="max-w-md"
        across={{ ticks: shareTicks, title: `${across}, %` }}
        up={{ ticks: shareTicks, title: `${up}, %` }}
      >
        {(place) => (
          <>
            <DottedLine places={[place(0, from), place(1, to)]} />
            {series
              .map(({ points }, number) => <Series key={number} number={number} place={place} points={points} />)
              .toReversed()}
          </>
        )}
      </Plot>
    </Chart>
  );
}

const countHeight = 54;

/** What was said against what came true, bin by bin with its interval; and below, how many items each bin holds. */
export function ReliabilityPlot({ title, name, bins }: ReliabilityChart) {
  const most = Math.max(1, ...bins.map(({ items }) => items));
  const [width, height] = [square[0], square[1] + countHeight];
  const points = bins.flatMap(({ from, to, items, meanProbability, share, interval }) =>
    share === null ? [] : [{ x: meanProbability ?? (from + to) / 2, y: share, range: interval, from, to, items }],
  );
  const description = points.map(
    ({ from, to, items, x, y }) =>
      `${writePercent(from)} to ${writePercent(to)}: ${items} items, ` +
      `said ${writePercent(x)}, came true ${writePercent(y)}.`,
  );
  return (
    <Chart title={title} legend={<OwnWords text={shortenName(name)} />}>
      <Plot
        title={`${title}, ${shortenName(name)}`}
        description={['The nearer to the diagonal, the better.', ...description]}
        size={[width, height]}
        className="max-w-md"
        foot={countHeight}
        across={{ ticks: shareTicks, title: 'predicted, %' }}
        up={{ ticks: shareTicks, title: 'observed, %' }}
      >
        {(place) => (
          <>
            <DottedLine places={[place(0, 0), place(1, 1)]} />
            <Series number={0} place={place} points={points} mark={4.5} />
            {bins.map(({ from, to, items }) => {
              const [[left], [right]] = [place(from, 0), place(to, 0)];
              const tall = roundPlace(((countHeight - 18) * items) / most);
              const top = roundPlace(height - 4 - tall);
              const bar = { x: left + 2, y: top, width: roundPlace(right - left - 4), height: tall };
              return (
                <g key={from}>
                  {items > 0 && <rect className="fill-line" {...bar} />}
                  <AxisText x={roundPlace((left + right) / 2)} y={top - 4} text={items} />
                </g>
              );
            })}
          </>
        )}
      </Plot>
    </Chart>
  );
}

/** How sure the seats are over the rounds, a panel for each right label: the mean, and the middle half around it. */
export function TrajectoryPlot({ title, columns, panels }: TrajectoryChart) {
  return (
    <Chart title={title} legend={<SeriesLegend series={panels[0]?.series ?? []} />}>
      <div className="grid max-w-4xl grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-x-8 gap-y-4">
        {panels.map(({ label, items, series }) => (
          <div key={label}>
            <p className="text-sm text-quiet">
              <OwnWords text={shortenName(label)} /> <small>{writePlural(items, 'item')}</small>
            </p>
            <Plot
              title={`${title}: items that are ${shortenName(label)}`}
              description={series.flatMap(({ name, points }) =>
                points.flatMap((point, column) =>
                  point
                    ? `${shortenName(name)}, ${columns[column]}: ${point.mean.toFixed(2)} (${point.low.toFixed(2)} ` +
                      `to ${point.high.toFixed(2)}).`
                    : [],
                ),
              )}
              size={[340, 250]}
              across={columnAxis(columns)}
              up={{ ticks: [0, 0.5, 1].map((score) => [score, score]) }}
            >
              {(place) =>
                series.map(({ points }, number) => (
                  <Series
                    key={number}
                    number={number}
                    place={(x, y) => place(x, toShare(y))}
                    mark={3.5}
                    band
                    points={points.flatMap((point, column) =>
                      point ? [{ x: column + 0.5, y: point.mean, range: [point.low, point.high] as const }] : [],
                    )}
                  />
                ))
              }
            </Plot>
          </div>
        ))}
      </div>
    </Chart>
  );
}

const toShare = (score: number) => Math.min(1, Math.max(0, score));

/** The same for one item, small: a line for each seat. Nothing where nobody scored twice. */
export function SmallTrajectory({ turns }: { turns: readonly ResultTurn[] }) {
  const scored = turns.flatMap(({ seat, round, score }) =>
    round === null || score === null ? [] : [{ seat, x: round, y: score }],
  );
  const series = [...Map.groupBy(scored, ({ seat }) => seat)].filter(([, points]) => points.length > 1).slice(0, 8);
  if (series.length === 0) return null;
  const rounds = series.flatMap(([, points]) => points.map(({ x }) => x));
  const [first, last] = [Math.min(...rounds), Math.max(...rounds)];
  const words = series
    .map(([seat, points]) => `${shortenCharacters(seat, 40)} ${points.map(({ y }) => y.toFixed(2)).join(', ')}`)
    .join('; ');
  return (
    <svg
      className="h-14 w-38 rounded-md border bg-paper"
      viewBox="0 0 150 56"
      role="img"
      aria-label={`Scores over the rounds: ${words}`}
    >
      <path className="stroke-line" d="M2 28H148" />
      {series.map(([seat, points], number) => (
        <Series
          key={seat}
          number={number}
          place={(x, y) => [
            roundPlace(6 + (138 * (x - first)) / Math.max(1, last - first)),
            roundPlace(50 - 44 * toShare(y)),
          ]}
          points={points}
        />
      ))}
    </svg>
  );
}
