import { hashOf } from '../hash.ts';
import { addUsage, noUsage, type Usage } from './usage.ts';
import type { Answer, AnswerUsage } from './answer.ts';
import { findTurns, type Transcript } from './transcript.ts';

type Unsealed<A> = Omit<A, 'seal'>;

/** Closes an answer: from here on, any change to it shows. */
export function sealAnswer<A extends Answer>(answer: Unsealed<A>): A {
  return { ...answer, seal: hashAnswer(answer) } as A;
}

export function hashAnswer(answer: Unsealed<Answer> | Answer): string {
  const { seal: _, ...content } = answer as Answer;
  // What is hashed is canonical JSON: a value that JSON would drop or change does not count.
  return hashOf(content);
}

/** What a transcript cost, in all, by model and by seat. */
export function sumUsage(transcript: Transcript, latencyMs: number): AnswerUsage {
  const turns = findTurns(transcript);
  const sum = (usages: Usage[]) => usages.reduce(addUsage, noUsage);
  const by = (name: 'reasoner' | 'seat') =>
    Object.fromEntries(
      [...Map.groupBy(turns, (turn) => turn[name])].map(([key, group]) => [key, sum(group.map((turn) => turn.usage))]),
    );
  return { ...sum(turns.map((turn) => turn.usage)), latencyMs, byModel: by('reasoner'), bySeat: by('seat') };
}
