import type { ShownDistribution } from '@agonhq/engine/view';
import type { Speaker, SpeakerPoint } from './view.ts';

/*
 * The risk-concept space as a triangle: a distribution over three concepts is a place in it, nearer to a corner the
 * likelier that concept. No risk is on top, so that higher is safer. Runs in a browser.
 */

export const frame = { width: 400, height: 432 };
export const corners = { none: { x: 200, y: 52 }, explicit: { x: 24, y: 356.8 }, implicit: { x: 376, y: 356.8 } };
/** Where marks may stand: not on the names of the corners. */
const field = { left: 12, top: 38, right: 388, bottom: 378 };
export const radius = 9;

export interface ConceptPlace {
  x: number;
  y: number;
}

/** Where a speaker stands, in one round or as long as it stays there. */
export interface ConceptMark extends ConceptPlace {
  speaker: Speaker;
  points: readonly SpeakerPoint[];
  /** Where the distribution is: the mark itself may be moved aside. */
  true: ConceptPlace;
}

export function locate({ explicit, implicit, none }: ShownDistribution): ConceptPlace {
  return {
    x: explicit * corners.explicit.x + implicit * corners.implicit.x + none * corners.none.x,
    y: explicit * corners.explicit.y + implicit * corners.implicit.y + none * corners.none.y,
  };
}

export function placeMarks(speakers: readonly Speaker[]): ConceptMark[] {
  const stands = speakers.flatMap(groupStands);
  const places = spread(
    stands.map((stand) => stand.true),
    radius * 2 + 3,
    field,
  );
  return stands.map((stand, index) => ({ ...stand, ...places[index]! }));
}

/** A speaker that stays where it was gets one mark for all of these rounds; votes of their own do not. */
function groupStands(speaker: Speaker): Omit<ConceptMark, 'x' | 'y'>[] {
  const stands: { speaker: Speaker; points: SpeakerPoint[]; true: ConceptPlace }[] = [];
  for (const point of speaker.points) {
    if (point.distribution === null) continue;
    const place = locate(point.distribution);
    const last = stands.at(-1);
    const isStaying =
      speaker.joined &&
      last &&
      Math.hypot(last.true.x - place.x, last.true.y - place.y) < 2 &&
      last.points[0]!.isStandIn === point.isStandIn;
    if (isStaying) last.points.push(point);
    else stands.push({ speaker, points: [point], true: place });
  }
  return stands;
}

export function isMovedAside(mark: ConceptMark): boolean {
  return Math.hypot(mark.x - mark.true.x, mark.y - mark.true.y) > radius;
}

/** `2`, or `1–3` for a speaker that stayed. */
export function formatRounds({ points }: Pick<ConceptMark, 'points'>): string {
  const [first, last] = [points[0]!.round, points.at(-1)!.round];
  if (first === null) return '';
  return first === last ? String(first) : `${first}–${last}`;
}

/** The lines at quarters, each parallel to a side. */
export function listGridLines(): [ConceptPlace, ConceptPlace][] {
  return [0.25, 0.5, 0.75].flatMap((share): [ConceptPlace, ConceptPlace][] => {
    const rest = 1 - share;
    return [
      [locate({ none: share, explicit: rest, implicit: 0 }), locate({ none: share, explicit: 0, implicit: rest })],
      [locate({ explicit: share, none: rest, implicit: 0 }), locate({ explicit: share, none: 0, implicit: rest })],
      [locate({ implicit: share, none: rest, explicit: 0 }), locate({ implicit: share, none: 0, explicit: rest })],
    ];
  });
}

/** The corners of a speaker's mark; null for a circle. */
export function outlineMark({ shape }: Pick<Speaker, 'shape'>, { x, y }: ConceptPlace): ConceptPlace[] | null {
  if (shape === 'circle') return null;
  const { sides, size, turned } = {
    square: { sides: 4, size: 1.25, turned: Math.PI / 4 },
    diamond: { sides: 4, size: 1.3, turned: 0 },
    hexagon: { sides: 6, size: 1.15, turned: Math.PI / 6 },
  }[shape];
  return Array.from({ length: sides }, (_, side) => {
    const angle = (2 * Math.PI * side) / sides + turned;
    return { x: x + radius * size * Math.cos(angle), y: y + radius * size * Math.sin(angle) };
  });
}

/** More marks than this are left where they are: nobody could read them anyway, and moving them takes time. */
const most = 150;

/**
 * Moves marks that would cover one another aside until they are `distance` apart, as far as the frame allows. The
 * same places always give the same result.
 */
export function spread(
  places: readonly ConceptPlace[],
  distance: number,
  frame: { left: number; top: number; right: number; bottom: number },
): ConceptPlace[] {
  const moved = places.map(({ x, y }) => ({ x, y }));
  if (moved.length > most) return moved;
  const near = (one: ConceptPlace) =>
    moved.filter((other) => Math.hypot(other.x - one.x, other.y - one.y) < distance).length > 1;
  // A nudge by the golden angle each: marks at one place, or in one line, leave it in different directions.
  for (const [index, place] of moved
    .map((place, index) => [index, place] as const)
    .filter(([, place]) => near(place))) {
    place.x += Math.cos(index * 2.4);
    place.y += Math.sin(index * 2.4);
  }
  const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);
  for (let turn = 0; turn < 200; turn += 1) {
    let crowded = false;
    for (const [index, one] of moved.entries()) {
      for (const other of moved.slice(index + 1)) {
        const [x, y] = [other.x - one.x, other.y - one.y];
        const apart = Math.hypot(x, y) || 0.001;
        if (apart >= distance - 0.1) continue;
        crowded = true;
        const push = (distance - apart) / 2 / apart;
        one.x -= x * push;
        one.y -= y * push;
        other.x += x * push;
        other.y += y * push;
      }
    }
    for (const place of moved) {
      place.x = within(place.x, frame.left, frame.right);
      place.y = within(place.y, frame.top, frame.bottom);
    }
    if (!crowded) break;
  }
  return moved;
}
