import { html, type Markup } from '../../../reports/index.ts';
import { percent, percentEstimate, type Bar, type Chart } from '../block.ts';
import { clip } from '../clip.ts';
import { labelled, width } from './drawing.ts';

const barHeight = 14;
const gap = 5;
const labelHeight = 20;
const bottom = 30;
const barPlot = { left: 8, right: width - 70 };

/** Bars from left to right, each with its interval, in groups under a label of their own. */
export function bars({ title, groups }: Extract<Chart, { kind: 'bars' }>): Markup {
  const across = (value: number) => barPlot.left + (barPlot.right - barPlot.left) * value;
  const single = groups.every((group) => group.bars.length === 1);
  let top = 10;
  const drawn = groups.map((group) => {
    const start = top;
    top += labelHeight + group.bars.length * (barHeight + gap) + 6;
    return html`<text class="group" x="${barPlot.left}" y="${start + 13}">${clip(group.label, 64)}</text>
${group.bars.map((bar, place) => oneBar(bar, start + labelHeight + place * (barHeight + gap), across))}`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((value) => html`<line class="grid" x1="${across(value)}" x2="${across(value)}" y1="6" y2="${top}"/>
<text class="axis" x="${across(value)}" y="${top + 18}" text-anchor="middle">${value * 100}</text>`);
  const tones = [...new Set(groups.flatMap((group) => group.bars.map(({ tone }) => tone)))];
  const description = groups.flatMap((group) => group.bars.map((bar) => `${single ? '' : `${clip(group.label, 64)}, `}${clip(bar.name, 64)}: ${percentEstimate(bar.estimate)}.`));
  return html`<figure class="plot"><figcaption>${title}${!single && legendOf(tones)}</figcaption>${labelled(title, description, top + bottom, [...ticks, ...drawn])}</figure>`;
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
