import { formatScore } from '../../../view/index.ts';
import type { Distribution } from '../index.ts';
import { html, type Markup } from '../../../reports/index.ts';
import { spread, type Place } from './spread.ts';
import type { Point, Shape, Voice } from './voices.ts';

/*
 * The risk-concept space as a triangle: a distribution over three concepts is a point in it, nearer to a corner the
 * likelier that concept. No risk is on top, so that higher is safer.
 */

const frame = { width: 400, height: 432 };
/* Where marks may stand: not on the names of the corners. */
const field = { left: 12, top: 38, right: 388, bottom: 378 };
const corners = { none: { x: 200, y: 52 }, explicit: { x: 24, y: 356.8 }, implicit: { x: 376, y: 356.8 } };
const radius = 9;

/** Where a voice stands, in one round or as long as it stays there. */
interface Stand {
  voice: Voice;
  points: readonly Point[];
  /** Where the distribution is: the mark itself may be moved aside. */
  true: Place;
}

type Mark = Stand & Place;

/** Where each voice sees the case, round by round; nothing when nobody stated a distribution. */
export function conceptPlot(voices: readonly Voice[]): Markup | null {
  const marks = marksOf(voices);
  if (marks.length === 0) return null;
  return html`<svg
    class="chart concepts"
    viewBox="0 0 ${frame.width} ${frame.height}"
    role="img"
    aria-labelledby="plot-title plot-description"
  >
    <title id="plot-title">Where each voice sees the risk, round by round</title>
    <desc id="plot-description">${voices.map(description).join(' ')}</desc>
    <path class="triangle" d="${path([corners.none, corners.explicit, corners.implicit])}" />
    ${[0.25, 0.5, 0.75].map(gridAt)}
    <text class="corner" x="200" y="16" text-anchor="middle">No risk</text>
    <text class="corner" x="2" y="406">Explicit risk</text>
    <text class="axis" x="2" y="423">breaks a rule outright</text>
    <text class="corner" x="398" y="406" text-anchor="end">Implicit risk</text>
    <text class="axis" x="398" y="423" text-anchor="end">shows only in context</text>
    ${voices
      .filter((voice) => voice.joined)
      .map((voice) => {
        const own = marks.filter((mark) => mark.voice === voice);
        return html`<g class="${toneOf(voice)}"
          ><polyline points="${own.map((mark) => `${round(mark.x)},${round(mark.y)}`).join(' ')}"
        /></g>`;
      })}
    ${marks.filter(movedAside).map((mark) => html`<g class="${toneOf(mark.voice)}"><line class="leader" x1="${round(mark.x)}" y1="${round(mark.y)}" x2="${round(mark.true.x)}" y2="${round(mark.true.y)}" /></g>`)}
    ${marks.map((mark) => html`<g class="${toneOf(mark.voice)}">${shapeAt(mark.voice.shape, mark, mark.points[0]!.standIn)}${ordinal(mark)}</g>`)}
  </svg>`;
}

/** The mark of a voice, beside its name. */
export function voiceMark(voice: Voice): Markup {
  return html`<svg class="legend ${toneOf(voice)}" viewBox="0 0 24 24" aria-hidden="true">
    ${shapeAt(voice.shape, { x: 12, y: 12 }, false)}
  </svg>`;
}

const toneOf = (voice: Voice): string => `voice ${voice.tone} variant-${voice.variant}`;

const movedAside = (mark: Mark): boolean => Math.hypot(mark.x - mark.true.x, mark.y - mark.true.y) > radius;

function marksOf(voices: readonly Voice[]): Mark[] {
  const stands = voices.flatMap(standsOf);
  const places = spread(
    stands.map((stand) => stand.true),
    radius * 2 + 3,
    field,
  );
  return stands.map((stand, index) => ({ ...stand, ...places[index]! }));
}

/** A voice that stays where it was gets one mark for all of these rounds; votes of their own do not. */
function standsOf(voice: Voice): Stand[] {
  const stands: (Stand & { points: Point[] })[] = [];
  for (const point of voice.points) {
    if (point.distribution === null) continue;
    const place = placeOf(point.distribution);
    const last = stands.at(-1);
    const stays =
      voice.joined &&
      last &&
      Math.hypot(last.true.x - place.x, last.true.y - place.y) < 2 &&
      last.points[0]!.standIn === point.standIn;
    if (stays) last.points.push(point);
    else stands.push({ voice, points: [point], true: place });
  }
  return stands;
}

/** `2`, or `1–3` for a voice that stayed. */
function ordinal({ points, ...mark }: Mark): Markup | null {
  const [first, last] = [points[0]!.round, points.at(-1)!.round];
  if (first === null) return null;
  return html`<text
    class="ordinal${first !== last && ' several'}"
    x="${round(mark.x)}"
    y="${round(mark.y + 3.8)}"
    text-anchor="middle"
    >${first === last ? first : `${first}–${last}`}</text
  >`;
}

export function placeOf({ explicit, implicit, none }: Distribution): Place {
  return {
    x: explicit * corners.explicit.x + implicit * corners.implicit.x + none * corners.none.x,
    y: explicit * corners.explicit.y + implicit * corners.implicit.y + none * corners.none.y,
  };
}

function gridAt(share: number): Markup {
  const rest = 1 - share;
  const lines: [Distribution, Distribution][] = [
    [
      { none: share, explicit: rest, implicit: 0 },
      { none: share, explicit: 0, implicit: rest },
    ],
    [
      { explicit: share, none: rest, implicit: 0 },
      { explicit: share, none: 0, implicit: rest },
    ],
    [
      { implicit: share, none: rest, explicit: 0 },
      { implicit: share, none: 0, explicit: rest },
    ],
  ];
  return html`${lines.map((ends) => html`<path class="grid" d="${path(ends.map(placeOf))}" />`)}`;
}

function shapeAt(shape: Shape, { x, y }: Place, standIn: boolean): Markup {
  const style = standIn ? 'mark stand-in' : 'mark';
  const around = (sides: number, size: number, turned: number) =>
    html`<path
      class="${style}"
      d="${path(
        Array.from({ length: sides }, (_, side) => {
          const angle = (2 * Math.PI * side) / sides + turned;
          return { x: x + size * Math.cos(angle), y: y + size * Math.sin(angle) };
        }),
      )}"
    />`;
  switch (shape) {
    case 'circle':
      return html`<circle class="${style}" cx="${round(x)}" cy="${round(y)}" r="${radius}" />`;
    case 'square':
      return around(4, radius * 1.25, Math.PI / 4);
    case 'diamond':
      return around(4, radius * 1.3, 0);
    case 'hexagon':
      return around(6, radius * 1.15, Math.PI / 6);
  }
}

function path(places: readonly Place[]): string {
  return `M${places.map(({ x, y }) => `${round(x)} ${round(y)}`).join(' L')} Z`;
}

function description({ name, points }: Voice): string {
  const said = points.flatMap(({ round: number, distribution, standIn }) =>
    distribution === null
      ? []
      : [
          `${number === null ? '' : `round ${number} `}explicit ${formatScore(distribution.explicit)}, implicit ` +
            `${formatScore(distribution.implicit)}, none ${formatScore(distribution.none)}${standIn ? ' (stand-in)' : ''}`,
        ],
  );
  return said.length === 0 ? '' : `${name}: ${said.join('; ')}.`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
