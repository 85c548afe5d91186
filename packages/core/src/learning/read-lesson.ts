import { z } from 'zod';
import { findTurns, type Turn } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { findClause, type Policy } from '@agonhq/engine/policy';
import { isMereRefusal, type KeptPrecedent } from '@agonhq/models/precedents';
import { lessonSchema, type Lesson, type PostMortem, type Truth } from '@agonhq/models/precedents/lesson';
import type { JobAnswer, LearningJob } from '@agonhq/judges/job';

const words = (most: number) => z.string().trim().min(1).max(most);

/** What can become a precedent: the bounds are those of the library. */
const teachableSchema = lessonSchema.extend({
  summary: words(1_000),
  cues: z.array(words(500)).min(1).max(20),
  why: words(1_500),
  excerpt: words(20_000),
});

export function postMortemOf({ learning }: LearningJob, answer: JobAnswer, truth: Truth): PostMortem {
  return { ...learning.studyAnswer(answer), truth };
}

/** A lesson that holds, or why it does not. */
export type ReadLesson = { lesson: Lesson; quote: string } | { problem: string };

/** Holds what the curator said against the schema, the trial and the source. */
export function readLesson(said: Turn, studied: PostMortem): ReadLesson {
  if (said.fallback)
    return { problem: `the curator gave no answer (${said.fallback.reason}: ${said.fallback.detail})` };
  if (studied.text.trim() === '')
    return { problem: 'nothing of the case could be seen, so nothing can be alike to it' };
  if (isMereRefusal(studied.text))
    return { problem: 'what stands for the case is nothing but a refusal, which says nothing about it' };
  const parsed = teachableSchema.safeParse(said.answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `the lesson is not usable: ${issue!.path.join('.')}: ${issue!.message}` };
  }
  const [evidence] = said.evidence;
  if (!evidence?.verified) return { problem: 'the passage it rests on is not in the source' };
  const known = findTurns(studied.transcript).some(({ key }) => key === parsed.data.turn);
  return { lesson: { ...parsed.data, turn: known ? parsed.data.turn : '' }, quote: evidence.quote };
}

/** Where a precedent comes from. */
export interface Origin {
  case: string;
  subject: string;
  policy: Policy;
  curator: string;
  dataset?: string;
  batch?: number;
  /** When it was decided. */
  at: Date;
}

const longestQuote = 300;

/** The precedent that a lesson becomes: the same case with the same truth always becomes the same one. */
export function precedentOf(
  { lesson, quote }: { lesson: Lesson; quote: string },
  studied: PostMortem,
  { case: caseId, subject, policy, curator, dataset, batch, at }: Origin,
): KeptPrecedent {
  const { label, by } = studied.truth;
  const found = [studied.truth.clause, lesson.clause]
    .flatMap((id) => (id === null ? [] : [findClause(policy, id)]))
    .find((clause) => clause !== undefined);
  const passage =
    quote.length > longestQuote
      ? `${quote.slice(0, longestQuote).toWellFormed().trimEnd()} …`
      : quote.replace(/(?<![.\s])[.\s]+$/, '');
  return {
    id: `learnt-${hashOf([subject, label]).slice(7, 19)}`,
    label,
    category: found?.category.id ?? null,
    clause: found?.clause.id ?? null,
    summary: lesson.summary,
    cues: lesson.cues,
    why: `${lesson.why} It rests on: “${passage}”.`,
    text: studied.text,
    modality: studied.modality,
    ...(studied.pictures?.length ? { pictures: studied.pictures } : {}),
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    provenance: {
      kind: 'learnt',
      case: caseId,
      subject,
      ...(dataset === undefined ? {} : { dataset }),
      ...(batch === undefined ? {} : { batch }),
      curator,
      lesson: studied.verdict.label === label ? 'confirmation' : 'mistake',
    },
    confirmedBy: by,
    state: 'active',
    overruledBy: null,
    expiresAt: null,
    createdAt: at.toISOString(),
  };
}
