import { html, inline, type Markup } from '../../reports/index.ts';
import type { Interval } from '../metrics/bootstrap.ts';
import type { Estimate } from '../metrics/measure.ts';
import { percent, percentEstimate, type Bar, type Chart } from './block.ts';

/** Drawn in the units of the view box; the page scales it. */
const width = 500;

export function chartOf(chart: Chart): Markup {
  return chart.kind === 'bars' ? bars(chart) : lines(chart);
}

/** Every drawing says in words what it shows. */
function drawing(title: string, description: readonly string[], height: number, body: readonly Markup[]): Markup {
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${`${title}. ${description.join(' ')}`}">${body}</svg>`;
}

const barHeight = 14;
const gap = 5;
const labelHeight = 20;
const bottom = 30;
const barPlot = { left: 8, right: width - 70 };

/** Bars from left to right, each with its interval, in groups under a label of their own. */
function bars({ title, groups }: Extract<Chart, { kind: 'bars' }>): Markup {
  const across = (value: number) => barPlot.left + (barPlot.right - barPlot.left) * value;
  const single = groups.every((group) => group.bars.length === 1);
  let top = 10;
  const drawn = groups.map((group) => {
    const start = top;
    top += labelHeight + group.bars.length * (barHeight + gap) + 6;
    return html`<text class="group" x="${barPlot.left}" y="${start + 13}">${clipped(group.label)}</text>
${group.bars.map((bar, place) => oneBar(bar, start + labelHeight + place * (barHeight + gap), across))}`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) => html`<line class="grid" x1="${across(value)}" x2="${across(value)}" y1="6" y2="${top}"/>
<text class="axis" x="${across(value)}" y="${top + 18}" text-anchor="middle">${value * 100}</text>`);
  const tones = [...new Set(groups.flatMap((group) => group.bars.map(({ tone }) => tone)))];
  const description = groups.flatMap((group) => group.bars.map((bar) => `${single ? '' : `${group.label}, `}${bar.name}: ${percentEstimate(bar.estimate)}.`));
  return html`<figure class="plot"><figcaption>${title}${!single && legendOf(tones)}</figcaption>${drawing(title, description, top + bottom, [...ticks, ...drawn])}</figure>`;
}

function oneBar({ tone, estimate }: Bar, top: number, across: (value: number) => number): Markup {
  const { value, interval } = estimate;
  if (value === null) return html`<text class="axis" x="${barPlot.left}" y="${top + 11}">nothing to measure</text>`;
  const middle = top + barHeight / 2;
  const end = interval ? Math.max(across(interval[1]), across(value)) : across(value);
  return html`<rect class="bar-${tone}" x="${barPlot.left}" y="${top}" width="${Math.max(1, across(value) - barPlot.left)}" height="${barHeight}" rx="2"/>
${interval && html`<path class="whisker" d="M${across(interval[0])} ${middle} H${across(interval[1])} M${across(interval[0])} ${middle - 4} v8 M${across(interval[1])} ${middle - 4} v8"/>`}
<text class="value" x="${end + 7}" y="${middle + 4}">${percent(value)}</text>`;
}

const toneWords: Record<Bar['tone'], string> = { judge: 'a judge of the same family', debate: 'the debate', other: 'another evaluator' };

function legendOf(tones: readonly Bar['tone'][]): Markup {
  const sample = (tone: Bar['tone']) => html`<svg viewBox="0 0 14 14" aria-hidden="true"><rect class="bar-${tone}" x="1" y="1" width="12" height="12" rx="2"/></svg>`;
  return html`<span class="key">${tones.map((tone) => html`<span>${sample(tone)} ${toneWords[tone]}</span>`)}</span>`;
}

const lineHeight = 290;
const linePlot = { left: 46, right: width - 24, top: 16, bottom: lineHeight - 40 };
const shapes = ['circle', 'square', 'diamond'] as const;
type Shape = (typeof shapes)[number];

/** Values over columns, a line for each series; the scale shows what there is, not always from zero. */
function lines({ title, columns, series }: Extract<Chart, { kind: 'lines' }>): Markup {
  const ticks = scaleOf(series.flatMap(({ points }) => points));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const up = (value: number) => linePlot.bottom - ((linePlot.bottom - linePlot.top) * (value - low)) / (high - low);
  const between = (linePlot.right - linePlot.left) / columns.length;
  // Side by side within a column, so that whiskers of one value do not hide each other.
  const across = (column: number, place: number) => linePlot.left + between * (column + 0.5) + (place - (series.length - 1) / 2) * 14;
  const description = series.flatMap(({ name, points }) => points.flatMap((point, column) => (point ? [`${name}, ${columns[column]}: ${percentEstimate(point)}.`] : [])));
  const shapeOf = (place: number) => shapes[place % shapes.length]!;
  const key = series.map(({ name }, place) => html`<span class="series ${shapeOf(place)}"><svg viewBox="0 0 20 20" aria-hidden="true">${mark(shapeOf(place), 10, 10)}</svg> ${inline(name)}</span>`);
  return html`<figure class="plot"><figcaption>${title}<span class="key">${key}</span></figcaption>${drawing(title, description, lineHeight, [
    ...ticks.map((value) => html`<line class="grid" x1="${linePlot.left}" x2="${linePlot.right}" y1="${up(value)}" y2="${up(value)}"/>
<text class="axis" x="${linePlot.left - 8}" y="${up(value) + 4}" text-anchor="end">${Math.round(value * 100)}</text>`),
    ...columns.map((column, place) => html`<text class="axis" x="${linePlot.left + between * (place + 0.5)}" y="${lineHeight - 12}" text-anchor="middle">${column}</text>`),
    ...series.map(({ points }, place) => oneLine(points, shapeOf(place), (column) => across(column, place), up)),
  ])}</figure>`;
}

/** Where the lines of the scale are: as few round shares as hold every value with its interval. */
function scaleOf(points: readonly (Estimate | null)[]): number[] {
  const values = points.flatMap((point) => (point === null || point.value === null ? [] : [point.value, ...(point.interval ?? [])]));
  const [lowest, highest] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const steps = [20, 10, 5].find((whole) => (highest - lowest) * whole < 6) ?? 4;
  const [low, high] = [Math.floor(lowest * steps + 1e-9), Math.ceil(highest * steps - 1e-9)];
  const from = low < high ? low : Math.max(0, low - 1);
  return Array.from({ length: Math.max(1, high - from) + 1 }, (_, tick) => (from + tick) / steps);
}

function oneLine(points: readonly (Estimate | null)[], shape: Shape, across: (column: number) => number, up: (value: number) => number): Markup {
  const known = points.flatMap((point, column) => (point === null || point.value === null ? [] : [{ x: across(column), y: up(point.value), interval: point.interval }]));
  const whisker = (x: number, [low, high]: Interval) => html`<path class="whisker" d="M${x} ${up(low)} V${up(high)} M${x - 4} ${up(low)} h8 M${x - 4} ${up(high)} h8"/>`;
  return html`<g class="series ${shape}"><polyline points="${known.map(({ x, y }) => `${x},${y}`).join(' ')}"/>
${known.map(({ x, y, interval }) => html`${interval && whisker(x, interval)}${mark(shape, x, y)}`)}</g>`;
}

function mark(shape: Shape, x: number, y: number): Markup {
  if (shape === 'circle') return html`<circle class="mark" cx="${x}" cy="${y}" r="5"/>`;
  if (shape === 'square') return html`<rect class="mark" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9"/>`;
  return html`<path class="mark" d="M${x} ${y - 7} L${x + 7} ${y} L${x} ${y + 7} L${x - 7} ${y} Z"/>`;
}

function clipped(label: string): string {
  return label.length > 64 ? `${label.slice(0, 63)}…` : label;
}

export const chartStyles = `
.plot{margin-block:1.25rem}
.plot figcaption{font-size:.875rem;font-weight:600;color:var(--quiet);display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin-bottom:.5rem}
.plot .chart{max-width:40rem}
.plot .group{fill:var(--ink);font-size:13px}
.plot .value{text-anchor:start}
.plot .whisker{fill:none;stroke:var(--ink);stroke-width:1.5}
.plot rect[class^=bar]{stroke-width:1.5}
.bar-debate{fill:var(--exoneration-ground);stroke:var(--exoneration)}.bar-judge{fill:var(--risk-ground);stroke:var(--risk)}.bar-other{fill:var(--line);stroke:var(--quiet)}
.key{display:inline-flex;flex-wrap:wrap;gap:.25rem 1rem;font-weight:400}
.key svg{width:.875rem;height:.875rem;vertical-align:-.1em}
.series .whisker{stroke:var(--tone);stroke-opacity:.7}
.series.diamond{--tone:var(--link)}.series.diamond polyline{stroke-dasharray:2 4}
`;
