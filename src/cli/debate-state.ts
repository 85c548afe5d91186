import type { Turn } from '../debate/index.ts';
import type { ModerationEvent } from '../moderation/index.ts';

/** A turn as the view knows it: being spoken, or heard. */
export interface ShownTurn {
  seat: string;
  key: string;
  round: number | null;
  reasoner: string;
  /** What has been said so far. */
  statement: string;
  turn: Turn | null;
  replayed: boolean;
}

/** What the live view shows: a fold over the events of a trial. */
export interface DebateState {
  caseFile: Extract<ModerationEvent, { type: 'case-ready' }>['caseFile'] | null;
  turns: readonly ShownTurn[];
  /** Rounds that are over, with the reason when the debate stopped there. */
  rounds: readonly { round: number; stop: string | null }[];
}

export const initialState: DebateState = { caseFile: null, turns: [], rounds: [] };

export function nextState(state: DebateState, event: ModerationEvent): DebateState {
  switch (event.type) {
    case 'case-ready':
      return { ...state, caseFile: event.caseFile };
    case 'turn-start': {
      const { seat, key, round, reasoner } = event;
      return { ...state, turns: [...state.turns, { seat, key, round, reasoner, statement: '', turn: null, replayed: false }] };
    }
    case 'turn-delta':
      return { ...state, turns: state.turns.map((shown) => (shown.key === event.key ? { ...shown, statement: shown.statement + event.delta } : shown)) };
    case 'turn-end': {
      const { turn, replayed } = event;
      const heard = { seat: turn.seat, key: turn.key, round: turn.round, reasoner: turn.reasoner, statement: turn.statement, turn, replayed };
      const known = state.turns.some((shown) => shown.key === turn.key);
      return { ...state, turns: known ? state.turns.map((shown) => (shown.key === turn.key ? heard : shown)) : [...state.turns, heard] };
    }
    case 'round-end':
      return { ...state, rounds: [...state.rounds, { round: event.round, stop: event.stop }] };
    case 'compute-end':
    case 'debate-end':
      return state;
  }
}
