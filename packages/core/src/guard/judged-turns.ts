import { hashOf, sha256 } from '@agonhq/engine/hash';
import type { GuardVerdict } from './guard-verdict.ts';

/** A turn of a conversation: what people and tools say until the model speaks, or a text of the model's. */
export interface GuardedTurn {
  /** @default 'user' */
  by?: 'user' | 'assistant';
  text: string;
  images?: readonly { data: Uint8Array<ArrayBuffer> }[];
  /** What a text of the model's answers. */
  question?: string;
}

/** What was judged, by its hash: a conversation comes back whole with each turn, and is not judged anew. */
export interface JudgedTurns {
  find(key: string): GuardVerdict | undefined;
  keep(key: string, verdict: GuardVerdict): void;
}

/** Some hundred conversations at a time; what is forgotten is judged once more. */
const mostTurns = 10_000;

export function createJudgedTurns(): JudgedTurns {
  const judged = new Map<string, GuardVerdict>();
  return {
    find(key) {
      const verdict = judged.get(key);
      if (!verdict) return undefined;
      judged.delete(key);
      judged.set(key, verdict);
      return { ...verdict, inBackground: false, ms: 0 };
    },
    keep(key, verdict) {
      // What failed is tried again.
      if (verdict.error) return;
      judged.delete(key);
      judged.set(key, { ...verdict, of: 'prompt', range: null });
      if (judged.size > mostTurns) judged.delete(judged.keys().next().value!);
    },
  };
}

/** By its words and the policy; everything else that decides about it is the same as long as a guard lives. */
export function keyTurn({ by = 'user', text, images = [], question }: GuardedTurn, policy: string): string {
  const seen = images.map(({ data }) => sha256(data));
  return hashOf([policy, by, by === 'assistant' ? (question ?? '') : null, text, seen]);
}
