import type { TrialView, TurnView } from './trial-view.ts';

/** One round: those who argue first, whoever judges them below. */
export interface TrialRound {
  /** Null for votes that are not taken in rounds. */
  round: number | null;
  turns: readonly TurnView[];
  stop: string | null;
}

export interface TrialParts {
  /** Who speaks before both sides: the preprocessor, the supporter. */
  opening: readonly TurnView[];
  rounds: readonly TrialRound[];
  /** Who has the last word. */
  arbiter: TurnView | undefined;
}

const openers = new Set(['preprocessor', 'supporter']);

/** The turns of a trial where they belong. */
export function arrangeTurns({ turns, stops }: Pick<TrialView, 'turns' | 'stops'>): TrialParts {
  const opening: TurnView[] = [];
  const rounds = new Map<number | null, TurnView[]>();
  let arbiter: TurnView | undefined;
  for (const turn of turns.values()) {
    if (openers.has(turn.role)) opening.push(turn);
    else if (turn.role === 'arbiter') arbiter = turn;
    else {
      // The control votes again and again: nobody answers anybody, so its votes are one round.
      const round = turn.seat === 'control' ? null : turn.round;
      const spoken = rounds.get(round);
      if (spoken) spoken.push(turn);
      else rounds.set(round, [turn]);
    }
  }
  const ordered = [...rounds].toSorted(([one], [other]) => (one ?? 0) - (other ?? 0));
  return {
    opening,
    rounds: ordered.map(([round, spoken]) => ({
      round,
      turns: spoken,
      stop: round === null ? ([...stops.values()][0] ?? null) : (stops.get(round) ?? null),
    })),
    arbiter,
  };
}

/** What each seat's score was a round before. */
export function listPreviousScores({ turns }: Pick<TrialView, 'turns'>): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  const before = new Map<string, number>();
  for (const { key, seat, round, score } of turns.values()) {
    const previous = last.get(seat);
    if (previous !== undefined && round !== null && seat !== 'control') before.set(key, previous);
    if (score !== null) last.set(seat, score);
  }
  return before;
}
