import { formatPlural } from '../../../view/index.ts';
import { findTurns, type Computed, type Turn } from '../../../debate/index.ts';
import type { Distribution } from '../index.ts';
import { mixingOf, priorsOf, stanceOf, type Mixing, type ReadableAnswer } from './readable-answer.ts';
import { methodOf } from './words.ts';

/** One round of the debate, with the arithmetic that follows it. */
export interface Round {
  /** Null for votes that are not taken in rounds. */
  round: number | null;
  /** Who spoke, in the order of the protocol; the arbiter speaks after the rounds. */
  turns: readonly Turn[];
  mixing: Mixing | null;
  priors: readonly (readonly [seat: string, prior: Distribution])[];
  stop: string | null;
}

/** The rounds in order; votes that nobody answers are one round without a number. */
export function roundsOf(answer: ReadableAnswer): Round[] {
  const { transcript } = answer;
  const turns = findTurns(transcript).filter((turn) => turn.role !== 'arbiter');
  const computed = transcript.filter((entry) => entry.kind === 'computed');
  const stops = transcript.filter((entry) => entry.kind === 'stop');
  if (methodOf(answer) === 'control')
    return [{ round: null, turns, mixing: null, priors: [], stop: stops[0]?.reason ?? null }];
  const numbers = [
    ...new Set([...turns, ...computed.filter(({ name }) => name === 'mixture')].map(({ round }) => round)),
  ];
  const named = (name: string, round: number | null): Computed | undefined =>
    computed.find((entry) => entry.name === name && entry.round === round);
  return numbers
    .toSorted((a, b) => (a ?? 0) - (b ?? 0))
    .map((round) => {
      const mixing = named('mixture', round);
      return {
        round,
        turns: turns.filter((turn) => turn.round === round),
        mixing: mixing ? mixingOf(mixing.value) : null,
        priors: priorsOf(named('priors', round)?.value),
        stop: stops.find((stop) => stop.round === round)?.reason ?? null,
      };
    });
}

export const titleOf = ({ round }: Pick<Round, 'round'>): string => (round === null ? 'Votes' : `Round ${round}`);

/**
 * The votes that count: the last that was heard of each seat, all of them where every turn is a vote of its own. The
 * critic has none.
 */
export function votesOf(rounds: readonly Round[], everyTurn: boolean): Turn[] {
  const turns = rounds.flatMap((round) => round.turns).filter((turn) => turn.role !== 'critic');
  if (everyTurn) return turns;
  const last = new Map(turns.map((turn) => [turn.seat, turn]));
  for (const turn of turns.filter(({ fallback }) => !fallback)) last.set(turn.seat, turn);
  return [...last.values()];
}

/** `4 votes: 2 unsafe, 1 safe, 1 not heard.` */
export function tallyWords(votes: readonly Turn[]): string {
  const count = (label: string) => votes.filter((turn) => stanceOf(turn).label === label).length;
  const [unsafe, safe] = [count('unsafe'), count('safe')];
  const others = votes.length - unsafe - safe;
  return `${formatPlural(votes.length, 'vote')}: ${unsafe} unsafe, ${safe} safe${others > 0 ? `, ${others} not heard` : ''}.`;
}
