import { html, type Markup } from '../../../reports/index.ts';
import { at } from './drawing.ts';

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
