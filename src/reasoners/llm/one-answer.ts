import type { FailureReason } from '../../debate/index.ts';
import { attempt, type Request } from './attempts.ts';
import type { Surroundings } from './llm-reasoner.ts';
import { createMemory } from './memory.ts';
import type { Model } from './model.ts';
import { openCourse, type Spent } from './open-course.ts';

/**
 * A question that got no answer to read. `refused`, `content-filter`: the model or a filter declined, and `said` is
 * what there is.
 */
export type NotAnswered = Spent & { outcome: 'failed'; reason: FailureReason; detail: string; said: string };
export type Answer<Kept> = (Spent & { outcome: 'answered'; answer: Kept }) | NotAnswered;

export interface OneQuestion<Kept> {
  /** As it is called: see `calledBy`. */
  model: Model;
  request: Pick<Request, 'conversation' | 'maxOutputTokens' | 'temperature' | 'roleId'>;
  /** Everything that was sent, as one hash. */
  cacheKey: string;
  /** What is made of the answer's text, and kept. */
  read(text: string): Kept;
  /** What was kept, from its JSON; undefined where it is not to be trusted. */
  recall(kept: unknown): Kept | undefined;
  signal: AbortSignal;
}

/**
 * Asks once under the limits, retries, budgets and cache of the pool. A mistake of the user's is thrown as an
 * AgonError.
 */
export async function oneAnswer<Kept>(question: OneQuestion<Kept>, surroundings: Surroundings): Promise<Answer<Kept>> {
  const { model, signal } = question;
  const { course, spent } = openCourse(surroundings, signal);
  const memory = surroundings.cache && createMemory(surroundings.cache, question.cacheKey, course);
  const recalled = recalledBy(question, (await memory?.recall()) ?? null);
  if (recalled !== undefined) return { outcome: 'answered', answer: recalled, ...spent() };
  const attempted = await attempt(model, { ...question.request, schema: null, schemaName: '' }, course);
  if ('failed' in attempted)
    return {
      outcome: 'failed',
      reason: attempted.failed,
      detail: attempted.detail,
      said: model.redact(attempted.said ?? ''),
      ...spent(),
    };
  const answer = question.read(attempted.reply.text);
  await memory?.keep(JSON.stringify(answer));
  return { outcome: 'answered', answer, ...spent() };
}

function recalledBy<Kept>({ recall }: OneQuestion<Kept>, kept: string | null): Kept | undefined {
  if (kept === null) return undefined;
  try {
    return recall(JSON.parse(kept));
  } catch {
    return undefined;
  }
}
