import { formatPercentEstimate, type ScatterChart } from '@agonhq/bench/report/block';
import { shortenName } from '@agonhq/bench/report/write-values';
import { type Axis, Chart, DottedLine, findSeriesColour, Plot, scaleShares, SeriesLegend, Whisker } from './plot.tsx';

/** Quality over cost. What costs nothing has a place of its own; the thin line joins what nothing beats for less. */
export function ScatterPlot({ title, across, up, written, points }: ScatterChart) {
  const scale = scaleCosts(
    points.map(({ cost }) => cost),
    written,
  );
  const upwards = scaleShares(points.map(({ quality }) => quality));
  const placed = points.map(({ cost, quality }) => ({
    x: scale.across(cost),
    y: quality.value ?? upwards.ticks[0]![0],
    range: quality.interval,
  }));
  return (
    <Chart
      title={`${title}; the dotted line joins the systems that no cheaper one matches`}
      legend={<SeriesLegend series={points.map(({ name }) => ({ name }))} sample={sampleNumber} />}
    >
      <Plot
        title={title}
        description={points.map(
          ({ name, cost, quality }) => `${shortenName(name)}: ${formatPercentEstimate(quality)} for ${written(cost)}.`,
        )}
        size={[560, 330]}
        across={{ ...scale.axis, title: across }}
        up={{ ...upwards, title: `${up}, %` }}
      >
        {(place) => (
          <>
            <DottedLine places={findFrontier(placed).map(({ x, y }) => place(x, y))} />
            {placed.map(({ x, y, range }, number) => {
              const [cx, cy] = place(x, y);
              return (
                <g key={number} className={findSeriesColour(number)}>
                  {range && <Whisker from={place(x, range[0])} to={place(x, range[1])} />}
                  <circle className="fill-paper stroke-current" strokeWidth={2} cx={cx} cy={cy} r={9} />
                  <text className="ordinal fill-current text-[11px] font-bold" x={cx} y={cy + 4} textAnchor="middle">
                    {number + 1}
                  </text>
                </g>
              );
            })}
          </>
        )}
      </Plot>
    </Chart>
  );
}

function sampleNumber(number: number) {
  const look = 'inline-block min-w-[1.35em] rounded-full border-[1.5px] border-current text-center text-xs font-bold';
  return <span className={`${look} ${findSeriesColour(number)}`}>{number + 1}</span>;
}

function findFrontier<Point extends { x: number; y: number }>(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points.toSorted((a, b) => a.x - b.x || b.y - a.y))
    if (kept.every(({ y }) => point.y > y)) kept.push(point);
  return kept;
}

/** What costs nothing stands at 0, what costs most near 1: straight while costs are alike, else by powers of ten. */
function scaleCosts(costs: readonly number[], written: (cost: number) => string): CostScale {
  const paid = costs.filter((cost) => cost > 0);
  const free = costs.some((cost) => cost <= 0);
  const [least, most] = [Math.min(...paid), Math.max(...paid)];
  const scaleOf = (ticks: readonly number[], share: (cost: number) => number): CostScale => {
    const across = (cost: number) => (cost <= 0 ? 0 : (free ? 0.1 : 0) + share(cost) * (free ? 0.9 : 1));
    const shown = [...(free ? [0] : []), ...ticks].map((cost) => [across(cost), written(cost)] as const);
    return { across, axis: { ticks: shown, ends: [-0.04, 1.04] } };
  };
  if (paid.length === 0) return scaleOf([], () => 0);
  if (most / least < 12) {
    const step = roundStep(most / 4);
    const steps = Math.ceil(most / step - 1e-9);
    const ticks = Array.from({ length: steps }, (_, place) => Number(((place + 1) * step).toPrecision(6)));
    return scaleOf(ticks, (cost) => cost / (steps * step));
  }
  const [low, high] = [Math.floor(Math.log10(least) + 1e-9), Math.ceil(Math.log10(most) - 1e-9)];
  const ticks = Array.from({ length: high - low + 1 }, (_, place) => Number(`1e${low + place}`));
  return scaleOf(ticks, (cost) => (Math.log10(cost) - low) / (high - low));
}

interface CostScale {
  across: (cost: number) => number;
  axis: Axis;
}

function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return Number(((step / power <= 1 ? 1 : step / power <= 2 ? 2 : step / power <= 5 ? 5 : 10) * power).toPrecision(3));
}
