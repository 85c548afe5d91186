import { html, type Markup } from '@agonhq/engine/reports';
import { formatScore } from '@agonhq/engine/view';
import {
  corners,
  formatRounds,
  frame,
  isMovedAside,
  listGridLines,
  outlineMark,
  placeMarks,
  radius,
  type ConceptMark,
  type ConceptPlace,
} from '../concept-space.ts';
import type { Speaker } from '../view.ts';

/** Where each speaker sees the case, round by round; nothing when nobody stated a distribution. */
export function conceptPlot(speakers: readonly Speaker[]): Markup | null {
  const marks = placeMarks(speakers);
  if (marks.length === 0) return null;
  return html`<svg
    class="chart concepts"
    viewBox="0 0 ${frame.width} ${frame.height}"
    role="img"
    aria-labelledby="plot-title plot-description"
  >
    <title id="plot-title">Where each speaker sees the risk, round by round</title>
    <desc id="plot-description">${speakers.map(describeSpeaker).join(' ')}</desc>
    <path class="triangle" d="${drawPath([corners.none, corners.explicit, corners.implicit])}" />
    ${listGridLines().map((ends) => html`<path class="grid" d="${drawPath(ends)}" />`)}
    <text class="corner" x="200" y="16" text-anchor="middle">No risk</text>
    <text class="corner" x="2" y="406">Explicit risk</text>
    <text class="axis" x="2" y="423">breaks a rule outright</text>
    <text class="corner" x="398" y="406" text-anchor="end">Implicit risk</text>
    <text class="axis" x="398" y="423" text-anchor="end">shows only in context</text>
    ${speakers
      .filter((speaker) => speaker.joined)
      .map((speaker) => {
        const own = marks.filter((mark) => mark.speaker === speaker);
        return html`<g class="${toneOf(speaker)}"
          ><polyline points="${own.map((mark) => `${round(mark.x)},${round(mark.y)}`).join(' ')}"
        /></g>`;
      })}
    ${marks
      .filter(isMovedAside)
      .map(
        (mark) =>
          html`<g class="${toneOf(mark.speaker)}"
            ><line
              class="leader"
              x1="${round(mark.x)}"
              y1="${round(mark.y)}"
              x2="${round(mark.true.x)}"
              y2="${round(mark.true.y)}"
          /></g>`,
      )}
    ${marks.map(
      (mark) =>
        html`<g class="${toneOf(mark.speaker)}"
          >${drawShape(mark.speaker, mark, mark.points[0]!.isStandIn)}${drawOrdinal(mark)}</g
        >`,
    )}
  </svg>`;
}

/** The mark of a speaker, beside its name. */
export function speakerMark(speaker: Speaker): Markup {
  return html`<svg class="legend ${toneOf(speaker)}" viewBox="0 0 24 24" aria-hidden="true">
    ${drawShape(speaker, { x: 12, y: 12 }, false)}
  </svg>`;
}

const toneOf = (speaker: Speaker): string => `speaker ${speaker.tone} variant-${speaker.variant}`;

function drawOrdinal(mark: ConceptMark): Markup | null {
  const rounds = formatRounds(mark);
  if (rounds === '') return null;
  return html`<text
    class="ordinal${rounds.includes('–') && ' several'}"
    x="${round(mark.x)}"
    y="${round(mark.y + 3.8)}"
    text-anchor="middle"
    >${rounds}</text
  >`;
}

function drawShape(speaker: Speaker, { x, y }: ConceptPlace, isStandIn: boolean): Markup {
  const style = isStandIn ? 'mark stand-in' : 'mark';
  const outline = outlineMark(speaker, { x, y });
  return outline
    ? html`<path class="${style}" d="${drawPath(outline)}" />`
    : html`<circle class="${style}" cx="${round(x)}" cy="${round(y)}" r="${radius}" />`;
}

function drawPath(places: readonly ConceptPlace[]): string {
  return `M${places.map(({ x, y }) => `${round(x)} ${round(y)}`).join(' L')} Z`;
}

function describeSpeaker({ name, points }: Speaker): string {
  const said = points.flatMap(({ round: number, distribution, isStandIn }) =>
    distribution === null
      ? []
      : [
          `${number === null ? '' : `round ${number} `}explicit ${formatScore(distribution.explicit)}, implicit ` +
            `${formatScore(distribution.implicit)}, none ${formatScore(distribution.none)}` +
            (isStandIn ? ' (fallback)' : ''),
        ],
  );
  return said.length === 0 ? '' : `${name}: ${said.join('; ')}.`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
