import {
  findTurns,
  type Calibration,
  type CaseFile,
  type Computed,
  type DebateEvent,
  type Transcript,
  type Turn,
} from '@agonhq/engine/debate';

/** What happens in a debate, whatever its job. */
export type TrialEvent<File extends CaseFile = CaseFile> =
  | DebateEvent
  | { type: 'case-ready'; debate: string; scope: null; caseFile: File; calibration?: Calibration };

/** A turn as the view knows it: under way, or done. */
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

/** What the live view shows: a fold over the events of a debate. */
export interface DebateState<File extends CaseFile = CaseFile> {
  caseFile: File | null;
  /** What makes risks of the seats' scores; null where they are the risks. */
  calibration: Calibration | null;
  turns: readonly ShownTurn[];
  computed: readonly Computed[];
  /** Rounds that are over, with the reason when the debate stopped there. */
  rounds: readonly { round: number; stop: string | null }[];
}

export const initialState: DebateState<never> = {
  caseFile: null,
  calibration: null,
  turns: [],
  computed: [],
  rounds: [],
};

export function advanceState<File extends CaseFile>(
  state: DebateState<File>,
  event: TrialEvent<File>,
): DebateState<File> {
  switch (event.type) {
    case 'case-ready':
      return { ...state, caseFile: event.caseFile, calibration: event.calibration ?? null };
    case 'turn-start': {
      const { seat, key, round, reasoner } = event;
      return {
        ...state,
        turns: [...state.turns, { seat, key, round, reasoner, statement: '', turn: null, replayed: false }],
      };
    }
    case 'turn-delta':
      return {
        ...state,
        turns: state.turns.map((shown) =>
          shown.key === event.key ? { ...shown, statement: shown.statement + event.delta } : shown,
        ),
      };
    case 'turn-end': {
      const { turn, replayed } = event;
      const heard = showTurn(turn, replayed);
      const known = state.turns.some((shown) => shown.key === turn.key);
      return {
        ...state,
        turns: known ? state.turns.map((shown) => (shown.key === turn.key ? heard : shown)) : [...state.turns, heard],
      };
    }
    case 'compute-end':
      return { ...state, computed: [...state.computed, event.computed] };
    case 'round-end':
      return { ...state, rounds: [...state.rounds, { round: event.round, stop: event.stop }] };
    case 'debate-end':
      return state;
  }
}

/** What the views of all debates have in common. */
export const debateView = { isTransient: false, start: () => initialState, advance: advanceState };

function showTurn(turn: Turn, replayed: boolean): ShownTurn {
  const { seat, key, round, reasoner, statement } = turn;
  return { seat, key, round, reasoner, statement, turn, replayed };
}

export function replayState<File extends CaseFile>(events: readonly TrialEvent<File>[]): DebateState<File> {
  return events.reduce<DebateState<File>>(advanceState, initialState);
}

/** The state at the end of a recorded debate. */
export function rebuildState<File extends CaseFile>(
  transcript: Transcript,
  caseFile: File,
  calibration: Calibration | null = null,
): DebateState<File> {
  const turns = findTurns(transcript);
  const stops = new Map(
    transcript.flatMap((entry) => (entry.kind === 'stop' ? [[entry.round, entry.reason] as const] : [])),
  );
  const rounds = new Set(turns.flatMap(({ round }) => (round === null ? [] : [round])));
  return {
    caseFile,
    calibration,
    turns: turns.map((turn) => showTurn(turn, false)),
    computed: transcript.filter((entry): entry is Computed => entry.kind === 'computed'),
    rounds: [...rounds].map((round) => ({ round, stop: stops.get(round) ?? null })),
  };
}
