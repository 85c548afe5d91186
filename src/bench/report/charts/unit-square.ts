import { html, inline, type Markup } from '../../../reports/index.ts';
import { formatPercent, type ReliabilityChart, type CurvesChart } from '../block.ts';
import { shortenName } from '../write-values.ts';
import { at, drawing, lineLegend, seriesClass } from './drawing.ts';

/** The square from 0 to 1 in both directions, with its grid and the names of its axes. */
export const square = { size: [380, 360] as const, left: 52, right: 364, top: 14, bottom: 306 };

export const across = (value: number): number => at(square.left + (square.right - square.left) * value);
export const up = (value: number): number => at(square.bottom - (square.bottom - square.top) * value);

const ticks = [0, 0.25, 0.5, 0.75, 1];

export function squareGrid(horizontal: string, vertical: string): Markup {
  return html`${ticks.map(
      (value) =>
        html`<path
            class="grid"
            d="M${square.left} ${up(value)} H${square.right} M${across(value)} ${square.top} V${square.bottom}"
          />
          <text class="axis" x="${square.left - 7}" y="${up(value) + 4}" text-anchor="end">${value * 100}</text
          ><text class="axis" x="${across(value)}" y="${square.bottom + 17}" text-anchor="middle"
            >${value * 100}</text
          >`,
    )}
    <text class="axis" x="${(square.left + square.right) / 2}" y="${square.size[1] - 14}" text-anchor="middle"
      >${horizontal}</text
    >
    <text class="axis" transform="translate(14 ${(square.top + square.bottom) / 2}) rotate(-90)" text-anchor="middle"
      >${vertical}</text
    >`;
}

const countHeight = 54;

/** What was said against what came true, bin by bin with its interval; and below, how many items each bin holds. */
export function drawReliability({ title, name, bins }: ReliabilityChart): Markup {
  const most = Math.max(1, ...bins.map(({ items }) => items));
  const height = square.size[1] + countHeight;
  const floor = height - 4;
  const described = bins.flatMap(({ from, to, items, share, meanProbability }) =>
    share === null || meanProbability === null
      ? []
      : [
          `${formatPercent(from)} to ${formatPercent(to)}: ${items} items, said ${formatPercent(meanProbability)}, came true ` +
            `${formatPercent(share)}.`,
        ],
  );
  return html`<figure class="plot">
    <figcaption>${title} <span class="key">${inline(shortenName(name))}</span></figcaption>
    ${drawing(
      `${title}, ${shortenName(name)}`,
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

/** ROC and precision-recall curves: several systems in one square. */
export function drawCurves({ title, across: horizontal, up: vertical, chance, series }: CurvesChart): Markup {
  const guessing =
    chance === 'diagonal'
      ? `M${across(0)} ${up(0)} L${across(1)} ${up(1)}`
      : `M${across(0)} ${up(chance)} H${across(1)}`;
  const description = [
    `${vertical} over ${horizontal}, in percent. The thin line is what guessing gives.`,
    ...series.map(({ name, note }) => `${shortenName(name)}: ${note}.`),
  ];
  return html`<figure class="plot">
    <figcaption>${title}${lineLegend(series)}</figcaption>
    ${drawing(title, description, square.size, [
      squareGrid(`${horizontal}, %`, `${vertical}, %`),
      html`<path class="chance" d="${guessing}" />`,
      ...series
        .map(
          ({ points }, place) =>
            html`<g class="stroke ${seriesClass(place)}"><path class="curve" d="${pathOf(points)}" /></g>`,
        )
        .toReversed(),
    ])}
  </figure>`;
}

/** The points that change the drawing: thousands of thresholds fall onto the same places and lines. */
function pathOf(points: CurvesChart['series'][number]['points']): string {
  const kept: [number, number][] = [];
  for (const { x, y } of points) {
    const place: [number, number] = [across(x), up(y)];
    const [last, before] = [kept.at(-1), kept.at(-2)];
    if (last && last[0] === place[0] && last[1] === place[1]) continue;
    const straight =
      last &&
      before &&
      ((before[0] === last[0] && last[0] === place[0]) || (before[1] === last[1] && last[1] === place[1]));
    if (straight) kept.pop();
    kept.push(place);
  }
  return kept.map(([x, y], place) => `${place === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}
