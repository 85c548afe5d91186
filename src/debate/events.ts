import type { Computed, Transcript, Turn } from './transcript.ts';

interface InDebate {
  debate: string;
  scope: string | null;
}

/** What happens in a debate, as it happens. */
export type DebateEvent = InDebate &
  (
    | { type: 'turn-start'; key: string; seat: string; role: string; round: number | null; reasoner: string }
    | { type: 'turn-delta'; key: string; seat: string; delta: string }
    | { type: 'turn-end'; key: string; turn: Turn; replayed: boolean }
    | { type: 'compute-end'; key: string; computed: Computed; replayed: boolean }
    | { type: 'round-end'; round: number; stop: string | null }
    | { type: 'debate-end'; transcript: Transcript }
  );
