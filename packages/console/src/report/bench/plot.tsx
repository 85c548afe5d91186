import type { ReactNode } from 'react';
import type { Estimate, Interval } from '@agonhq/engine/statistics';
import { shortenName } from '@agonhq/bench/report/write-values';
import { PlainText } from '../../components/text.tsx';
import { classes } from '../../components/tones.ts';

/* What tells the series of a drawing apart: a colour and a dash, so that either is enough. */
const colours = ['text-link', 'text-risk', 'text-exoneration', 'text-both', 'text-caution', 'text-ink'];
const dashes = [undefined, '8 4', '2 4', '10 3 2 3', '15 5'];

export function findSeriesColour(number: number): string {
  return colours[number % colours.length]!;
}

/** A place in a drawing: a tenth of a unit is less than anybody sees. */
export function roundPlace(value: number): number {
  return Math.round(value * 10) / 10;
}

type Place = readonly [x: number, y: number];
export type FindPlace = (x: number, y: number) => Place;

/** A chart under its title, with what tells its series apart. */
export function Chart({ title, legend, children }: { title: string; legend?: ReactNode; children: ReactNode }) {
  return (
    <figure className="my-3 min-w-0">
      <figcaption className="mb-2 flex flex-wrap gap-x-6 gap-y-1 text-sm text-quiet">
        <span className="font-semibold">{title}</span>
        {legend}
      </figcaption>
      {children}
    </figure>
  );
}

/** The legend of lines, or of things that have a number. */
export function SeriesLegend({ series, sample = sampleLine }: SeriesLegendProps) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      {series.map(({ name, note }, number) => (
        <span key={number}>
          {sample(number)} <OwnWords text={shortenName(name)} /> {note && <small>{note}</small>}
        </span>
      ))}
    </span>
  );
}

interface SeriesLegendProps {
  series: readonly { name: string; note?: string }[];
  sample?: (number: number) => ReactNode;
}

function sampleLine(number: number) {
  return (
    <svg className={classes('inline h-3.5 w-7', findSeriesColour(number))} viewBox="0 0 28 14" aria-hidden>
      <path className="fill-none stroke-current" strokeWidth={2.25} strokeDasharray={dashes[number % 5]} d="M1 7H27" />
    </svg>
  );
}

/** Words of others within a line of ours: their language and their direction are their own. */
export function OwnWords({ text }: { text: string }) {
  return (
    <bdi lang="">
      <PlainText text={text} />
    </bdi>
  );
}

interface DrawingProps {
  title: string;
  /** The same in words. */
  description: readonly string[];
  size: Place;
  className?: string;
  children: ReactNode;
}

/** In the units of its view box; the page scales it. */
export function Drawing({
  title,
  description,
  size: [width, height],
  className = 'max-w-2xl',
  children,
}: DrawingProps) {
  return (
    <svg className={`chart w-full ${className}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      <desc>{description.join(' ')}</desc>
      {children}
    </svg>
  );
}

export interface Axis {
  ticks: readonly (readonly [value: number, text: string | number])[];
  /** From its first tick to its last unless said. */
  ends?: readonly [number, number];
  /** Numbers have one, and a line at each tick; columns explain themselves. */
  title?: string;
}

interface PlotProps extends Omit<DrawingProps, 'children'> {
  across: Axis;
  up: Axis;
  /** How much is left free below. */
  foot?: number;
  children: (place: FindPlace) => ReactNode;
}

/** A drawing between two axes. */
export function Plot({ across, up, foot = 0, children, ...drawing }: PlotProps) {
  const [width, height] = drawing.size;
  const [left, right, top, bottom] = [up.title ? 52 : 42, width - 18, 14, height - foot - (across.title ? 54 : 36)];
  const share = ({ ticks, ends = [ticks[0]![0], ticks.at(-1)![0]] }: Axis, value: number) =>
    (value - ends[0]) / (ends[1] - ends[0]);
  const place: FindPlace = (x, y) => [
    roundPlace(left + (right - left) * share(across, x)),
    roundPlace(bottom - (bottom - top) * share(up, y)),
  ];
  const [middle, half] = [(left + right) / 2, (top + bottom) / 2];
  return (
    <Drawing {...drawing}>
      {up.ticks.map(([value, text]) => {
        const [, y] = place(0, value);
        return (
          <g key={value}>
            <path className="stroke-line" d={`M${left} ${y}H${right}`} />
            <AxisText x={left - 8} y={y + 4} anchor="end" text={text} />
          </g>
        );
      })}
      {across.ticks.map(([value, text]) => {
        const [x] = place(value, 0);
        return (
          <g key={value}>
            {across.title && <path className="stroke-line" d={`M${x} ${top}V${bottom}`} />}
            <AxisText x={x} y={bottom + 18} text={text} />
          </g>
        );
      })}
      {across.title && <AxisText x={middle} y={bottom + 40} text={across.title} />}
      {up.title && <AxisText x={0} y={0} text={up.title} transform={`translate(14 ${half}) rotate(-90)`} />}
      {children(place)}
    </Drawing>
  );
}

interface AxisTextProps {
  x: number;
  y: number;
  text: string | number;
  anchor?: 'middle' | 'end';
  transform?: string;
}

export function AxisText({ anchor = 'middle', text, ...rest }: AxisTextProps) {
  return (
    <text className="fill-quiet text-xs" textAnchor={anchor} {...rest}>
      {text}
    </text>
  );
}

interface SeriesProps {
  /** Which of the drawing's it is. */
  number: number;
  place: FindPlace;
  points: readonly { x: number; y: number; range?: Interval | null }[];
  /** How large a mark stands at each point; none for curves. */
  mark?: number;
  /** Whether ranges are a band behind the line, or a whisker at each point. */
  band?: boolean;
}

/** A line through points, with their ranges. */
export function Series({ number, place, points, mark = 0, band = false }: SeriesProps) {
  const edgeOf = (side: 0 | 1) => points.flatMap(({ x, range }) => (range ? [place(x, range[side])] : []));
  return (
    <g className={findSeriesColour(number)}>
      {band && points.length > 1 && (
        <path className="fill-current opacity-10" d={joinPlaces([...edgeOf(1), ...edgeOf(0).toReversed()])} />
      )}
      <path
        className="fill-none stroke-current"
        strokeWidth={2.25}
        strokeDasharray={dashes[number % dashes.length]}
        strokeLinejoin="round"
        d={joinPlaces(points.map(({ x, y }) => place(x, y)))}
      />
      {mark > 0 &&
        points.map(({ x, y, range }) => {
          const [cx, cy] = place(x, y);
          return (
            <g key={x}>
              {range && !band && <Whisker from={place(x, range[0])} to={place(x, range[1])} />}
              <circle className="fill-current" cx={cx} cy={cy} r={mark} />
            </g>
          );
        })}
    </g>
  );
}

/** A range that stands upright, with its ends. */
export function Whisker({ from: [x, low], to: [, high] }: { from: Place; to: Place }) {
  const left = roundPlace(x - 4);
  return (
    <path
      className="fill-none stroke-current opacity-60"
      strokeWidth={1.5}
      d={`M${x} ${low}V${high}M${left} ${low}h8M${left} ${high}h8`}
    />
  );
}

/** What guessing gives, or what nothing beats for less. */
export function DottedLine({ places }: { places: readonly Place[] }) {
  return <path className="fill-none stroke-quiet" strokeDasharray="1 3" d={joinPlaces(places)} />;
}

/** A path through the places that change it: thousands of thresholds fall onto the same places and lines. */
function joinPlaces(places: readonly Place[]): string {
  const kept: Place[] = [];
  for (const place of places) {
    const [last, before] = [kept.at(-1), kept.at(-2)];
    if (last && last[0] === place[0] && last[1] === place[1]) continue;
    if (before && [0, 1].some((axis) => before[axis] === last![axis] && last![axis] === place[axis])) kept.pop();
    kept.push(place);
  }
  return kept.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}

/** The scale of shares: as few round ones as hold every value with its interval, not always from zero. */
export function scaleShares(points: readonly (Estimate | null)[]): Axis {
  const values = points.flatMap((point) =>
    point === null || point.value === null ? [] : [point.value, ...(point.interval ?? [])],
  );
  const [lowest, highest] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const steps = [20, 10, 5].find((whole) => (highest - lowest) * whole < 6) ?? 4;
  const [low, high] = [Math.floor(lowest * steps + 1e-9), Math.ceil(highest * steps - 1e-9)];
  const from = low < high ? low : Math.max(0, low - 1);
  const ticks = Array.from({ length: Math.max(1, high - from) + 1 }, (_, tick) => (from + tick) / steps);
  return { ticks: ticks.map((share) => [share, Math.round(share * 100)]) };
}
