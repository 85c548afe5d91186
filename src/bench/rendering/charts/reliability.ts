import { html, inline, type Markup } from '../../../reports/index.ts';
import { percent, type ReliabilityChart } from '../block.ts';
import { shortName } from '../clip.ts';
import { at, drawing } from './drawing.ts';
import { across, square, squareGrid, up } from './unit-square.ts';

const countHeight = 54;

/** What was said against what came true, bin by bin with its interval; and below, how many items each bin holds. */
export function reliability({ title, name, bins }: ReliabilityChart): Markup {
  const most = Math.max(1, ...bins.map(({ items }) => items));
  const height = square.size[1] + countHeight;
  const floor = height - 4;
  const described = bins.flatMap(({ from, to, items, share, meanProbability }) =>
    share === null || meanProbability === null
      ? []
      : [
          `${percent(from)} to ${percent(to)}: ${items} items, said ${percent(meanProbability)}, came true ` +
            `${percent(share)}.`,
        ],
  );
  return html`<figure class="plot">
    <figcaption>${title} <span class="key">${inline(shortName(name))}</span></figcaption>
    ${drawing(
      `${title}, ${shortName(name)}`,
      ['The nearer to the diagonal, the better.', ...described],
      [square.size[0], height],
      [
        squareGrid('what it said, %', 'what came true, %'),
        html`<path class="chance" d="M${across(0)} ${up(0)} L${across(1)} ${up(1)}" />`,
        html`<g class="stroke tone-0 dash-0"
          ><path
            class="curve"
            d="${bins
              .filter(({ share }) => share !== null)
              .map(
                ({ meanProbability, share }, place) =>
                  `${place === 0 ? 'M' : 'L'}${across(meanProbability ?? 0)} ${up(share ?? 0)}`,
              )
              .join('')}"
        /></g>`,
        ...bins.map((bin) => oneBin(bin, most, floor)),
      ],
    )}
  </figure>`;
}

function oneBin(
  { from, to, items, meanProbability, share, interval }: ReliabilityChart['bins'][number],
  most: number,
  floor: number,
): Markup {
  const tall = at(((countHeight - 18) * items) / most);
  const middle = at((across(from) + across(to)) / 2);
  const place = across(meanProbability ?? (from + to) / 2);
  return html`${items > 0 && html`<rect class="count" x="${at(across(from) + 2)}" y="${at(floor - tall)}" width="${at(across(to) - across(from) - 4)}" height="${tall}" />`}
    <text class="axis tiny" x="${middle}" y="${at(floor - tall - 4)}" text-anchor="middle">${items}</text>
    ${share !== null && html`<g class="stroke tone-0">${interval && html`<path class="whisker" d="M${place} ${up(interval[0])} V${up(interval[1])} M${at(place - 4)} ${up(interval[0])} h8 M${at(place - 4)} ${up(interval[1])} h8" />`}<circle class="mark" cx="${place}" cy="${up(share)}" r="4.5" /></g>`}`;
}
