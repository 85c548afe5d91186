import { spread } from '../../../../src/jobs/evaluation/report/spread.ts';
import type { Distribution, Voice, VoicePoint } from './concept-voices.ts';

/* Where marks are in the triangle: the nearer to a corner, the likelier that concept. No risk is on top. */

export const frame = { width: 400, height: 432 };
export const corners = { none: { x: 200, y: 52 }, explicit: { x: 24, y: 356.8 }, implicit: { x: 376, y: 356.8 } };
/** Not on the names of the corners. */
const field = { left: 12, top: 38, right: 388, bottom: 378 };
export const radius = 9;

export interface Place {
  x: number;
  y: number;
}

/** Where a voice stands, in one round or as long as it stays there. */
export interface Mark extends Place {
  voice: Voice;
  points: readonly VoicePoint[];
  /** Where the distribution is: the mark itself may be moved aside. */
  true: Place;
}

export function locate({ explicit, implicit, none }: Distribution): Place {
  return {
    x: explicit * corners.explicit.x + implicit * corners.implicit.x + none * corners.none.x,
    y: explicit * corners.explicit.y + implicit * corners.implicit.y + none * corners.none.y,
  };
}

export function placeMarks(voices: readonly Voice[]): Mark[] {
  const stands = voices.flatMap(groupStands);
  const places = spread(
    stands.map((stand) => stand.true),
    radius * 2 + 3,
    field,
  );
  return stands.map((stand, index) => ({ ...stand, ...places[index]! }));
}

/** A voice that stays where it was gets one mark for all of these rounds; votes of their own do not. */
function groupStands(voice: Voice): Omit<Mark, 'x' | 'y'>[] {
  const stands: { voice: Voice; points: VoicePoint[]; true: Place }[] = [];
  for (const point of voice.points) {
    const place = locate(point.distribution);
    const last = stands.at(-1);
    if (
      voice.joined &&
      last &&
      Math.hypot(last.true.x - place.x, last.true.y - place.y) < 2 &&
      last.points[0]!.standIn === point.standIn
    )
      last.points.push(point);
    else stands.push({ voice, points: [point], true: place });
  }
  return stands;
}

export function isMovedAside(mark: Mark): boolean {
  return Math.hypot(mark.x - mark.true.x, mark.y - mark.true.y) > radius;
}

/** `2`, or `1–3` for a voice that stayed. */
export function formatRounds({ points }: Pick<Mark, 'points'>): string {
  const [first, last] = [points[0]!.round, points.at(-1)!.round];
  if (first === null) return '';
  return first === last ? String(first) : `${first}–${last}`;
}

/** The lines at quarters, each parallel to a side. */
export function listGridLines(): [Place, Place][] {
  return [0.25, 0.5, 0.75].flatMap((share): [Place, Place][] => {
    const rest = 1 - share;
    return [
      [locate({ none: share, explicit: rest, implicit: 0 }), locate({ none: share, explicit: 0, implicit: rest })],
      [locate({ explicit: share, none: rest, implicit: 0 }), locate({ explicit: share, none: 0, implicit: rest })],
      [locate({ implicit: share, none: rest, explicit: 0 }), locate({ implicit: share, none: 0, explicit: rest })],
    ];
  });
}
