import { html, type Markup } from '@agonhq/engine/reports';
import { writePercent, formatPercentEstimate, type Bar, type Chart } from '../block.ts';
import { at, axisText, gridLine, labelled, whisker, width, type Plot as Area } from './drawing.ts';
import { shortenCharacters } from '@agonhq/engine/text';

const barHeight = 14;
const gap = 5;
const labelHeight = 20;
const bottom = 30;

type Plot = Pick<Area, 'left' | 'right'>;

/**
 * Bars from left to right, each with its interval: in groups under a label of their own, or by one behind their
 * names.
 */
export function drawBars(chart: Extract<Chart, { kind: 'bars' }>): Markup {
  const single = chart.groups.every((group) => group.bars.length === 1);
  return single && chart.groups.every(({ label }) => label.length <= longestName) ? rows(chart) : groups(chart, single);
}

const longestName = 24;
const rowWidth = 440;

function rows({ title, groups: named }: Extract<Chart, { kind: 'bars' }>): Markup {
  const longest = Math.max(0, ...named.map(({ label }) => label.length));
  const plot = { left: 20 + 7 * longest, right: rowWidth - 52 };
  const pitch = barHeight + 8;
  const top = 10 + named.length * pitch;
  const drawn = named.map(
    ({ label, bars: [bar] }, place) =>
      html`<text class="group" x="${plot.left - 8}" y="${10 + place * pitch + 11}" text-anchor="end">${label}</text>
        ${oneBar(bar!, 10 + place * pitch, plot)}`,
  );
  return html`<figure class="plot rows">
    <figcaption>${title}</figcaption>
    ${labelled(
      title,
      named.map(({ bars: [bar] }) => inWords(bar!)),
      top + bottom,
      [...ticks(plot, top), ...drawn],
      rowWidth,
    )}
  </figure>`;
}

function groups({ title, groups: named }: Extract<Chart, { kind: 'bars' }>, single: boolean): Markup {
  const plot = { left: 8, right: width - 70 };
  let top = 10;
  const drawn = named.map((group) => {
    const start = top;
    top += labelHeight + group.bars.length * (barHeight + gap) + 6;
    return html`<text class="group" x="${plot.left}" y="${start + 13}">${shortenCharacters(group.label, 64)}</text>
      ${group.bars.map((bar, place) => oneBar(bar, start + labelHeight + place * (barHeight + gap), plot))}`;
  });
  const tones = [...new Set(named.flatMap((group) => group.bars.map(({ tone }) => tone)))];
  const description = named.flatMap((group) =>
    group.bars.map((bar) => `${single ? '' : `${shortenCharacters(group.label, 64)}, `}${inWords(bar)}`),
  );
  return html`<figure class="plot">
    <figcaption>${title}${!single && legendOf(tones)}</figcaption>
    ${labelled(title, description, top + bottom, [...ticks(plot, top), ...drawn])}
  </figure>`;
}

function inWords({ name, estimate, mark = '' }: Bar): string {
  return `${shortenCharacters(name, 64)}: ${formatPercentEstimate(estimate)}${mark}.`;
}

const acrossIn =
  ({ left, right }: Plot) =>
  (value: number) =>
    at(left + (right - left) * value);

function ticks(plot: Plot, top: number): Markup[] {
  const across = acrossIn(plot);
  return [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    gridLine(`M${across(value)} 6 V${top}`),
    axisText(across(value), top + 18, 'middle', value * 100),
  ]);
}

function oneBar({ tone, estimate, mark = '' }: Bar, top: number, plot: Plot): Markup {
  const across = acrossIn(plot);
  const { value, interval } = estimate;
  if (value === null) return html`<text class="axis" x="${plot.left}" y="${top + 11}">nothing to measure</text>`;
  const middle = top + barHeight / 2;
  const [low, high] = interval ? [across(interval[0]), across(interval[1])] : [across(value), across(value)];
  return html`<rect
      class="bar-${tone}"
      x="${plot.left}"
      y="${top}"
      width="${at(Math.max(1, across(value) - plot.left))}"
      height="${barHeight}"
      rx="2"
    />
    ${interval && whisker(`M${low} ${middle} H${high} M${low} ${middle - 4} v8 M${high} ${middle - 4} v8`)}
    <text class="value" x="${Math.max(high, across(value)) + 7}" y="${middle + 4}"
      >${writePercent(value)}${mark}</text
    >`;
}

const toneWords: Record<Bar['tone'], string> = {
  judge: 'a judge of the same family',
  debate: 'the debate',
  other: 'another evaluator',
};

function legendOf(tones: readonly Bar['tone'][]): Markup {
  const sample = (tone: Bar['tone']) =>
    html`<svg viewBox="0 0 14 14" aria-hidden="true">
      <rect class="bar-${tone}" x="1" y="1" width="12" height="12" rx="2" />
    </svg>`;
  return html`<span class="key">${tones.map((tone) => html`<span>${sample(tone)} ${toneWords[tone]}</span>`)}</span>`;
}
