import { html, type Markup } from '../../../reports/index.ts';
import type { CurvesChart } from '../block.ts';
import { shortName } from '../clip.ts';
import { drawing, lineLegend, seriesClass } from './drawing.ts';
import { across, square, squareGrid, up } from './unit-square.ts';

/** ROC and precision-recall curves: several systems in one square. */
export function curves({ title, across: horizontal, up: vertical, chance, series }: CurvesChart): Markup {
  const guessing =
    chance === 'diagonal'
      ? `M${across(0)} ${up(0)} L${across(1)} ${up(1)}`
      : `M${across(0)} ${up(chance)} H${across(1)}`;
  const description = [
    `${vertical} over ${horizontal}, in percent. The thin line is what guessing gives.`,
    ...series.map(({ name, note }) => `${shortName(name)}: ${note}.`),
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
