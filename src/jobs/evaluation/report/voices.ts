import type { Turn } from '../../../debate/index.ts';
import type { Distribution } from '../index.ts';
import { stanceOf } from './readable-answer.ts';
import type { Round } from './rounds.ts';
import { seatName } from './words.ts';

export const shapes = ['circle', 'square', 'diamond', 'hexagon'] as const;
export type Shape = (typeof shapes)[number];

/** Somebody whose view of the case is drawn: a seat, or the mixture of equation 5. */
export interface Voice {
  name: string;
  /** Whose colour it has: `auditor`, `detector`, `critic`, `judge`, `mixture`. */
  tone: string;
  shape: Shape;
  /** Tells the seats of one role apart: the first is filled, the others are not. */
  variant: 1 | 2 | 3;
  /** Whether its points are one path: votes that do not know of each other are not. */
  joined: boolean;
  points: readonly Point[];
}

export interface Point {
  round: number | null;
  distribution: Distribution | null;
  label: string | null;
  /** A fallback stands in for what was not said. */
  standIn: boolean;
}

const roleShapes: Record<string, Shape> = { auditor: 'circle', detector: 'square', critic: 'diamond' };

/** Every seat's path through the rounds, then the mixture's. */
export function voicesOf(rounds: readonly Round[]): Voice[] {
  const turns = rounds.flatMap((round) => round.turns);
  const seats = [...new Map(turns.map((turn) => [turn.seat, turn.role]))];
  const voices = seats.map(([seat, role]): Voice => {
    const peers = seats.filter((other) => other[1] === role).map(([name]) => name);
    const number = peers.indexOf(seat);
    const known = Object.hasOwn(roleShapes, role);
    return {
      name: seatName(seat),
      tone: known ? role : 'judge',
      shape: known ? roleShapes[role]! : shapes[number % shapes.length]!,
      variant: variantOf(known ? number : Math.floor(number / shapes.length)),
      joined: rounds.every(({ round }) => round !== null),
      points: turns.filter((turn) => turn.seat === seat).map(pointOf),
    };
  });
  const mixture = rounds
    .filter((round) => round.mixing !== null)
    .map(({ round, mixing }): Point => ({ round, distribution: mixing!.mixture, label: null, standIn: false }));
  return mixture.length === 0
    ? voices
    : [...voices, { name: 'Mixture', tone: 'mixture', shape: 'hexagon', variant: 1, joined: true, points: mixture }];
}

function pointOf(turn: Turn): Point {
  const { distribution, label } = stanceOf(turn);
  return { round: turn.round, distribution, label, standIn: turn.fallback !== undefined };
}

function variantOf(number: number): Voice['variant'] {
  if (number === 0) return 1;
  return number === 1 ? 2 : 3;
}
