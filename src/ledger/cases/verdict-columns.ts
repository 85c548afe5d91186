import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { findJob, requireJob, type CaseIndex, type JobAnswer } from '../../jobs/index.ts';
import { toStored } from '../database/stored-json.ts';

/** What is listed of an answer, which its job sums up once: the columns of its verdict, and what only lists show. */
export function readVerdict(answer: JobAnswer) {
  const job = requireJob(answer.job);
  const { label, score, escalate, rule, action = null, severity = null, categories: clauses } = job.summarize(answer);
  const index: Partial<CaseIndex> = job.index?.(answer) ?? {};
  const { probability = null, categories = [], degraded = false, modality = null } = index;
  const columns = {
    label,
    score,
    probability,
    escalate: Number(escalate),
    rule: rule.id,
    categories: toStored(categories),
    degraded: Number(degraded),
    modality,
    action,
    severity,
  };
  return { columns, marks: readMarks(answer, index, clauses), pictures: index.pictures ?? [] };
}

/** What only lists show of an answer. */
export interface VerdictMarks {
  confidence: number | null;
  disagreement: number | null;
  models: readonly string[];
  /** Of the policy, that it goes by. */
  clauses: readonly string[];
  costUsd: number | null;
  latencyMs: number | null;
}

function readMarks(
  { provenance, usage }: JobAnswer,
  { confidence = null, disagreement = null }: Partial<CaseIndex>,
  clauses: readonly string[] = [],
): VerdictMarks {
  return {
    confidence,
    disagreement,
    models: [...new Set(Object.values(provenance.models))],
    clauses: [...new Set(clauses)],
    costUsd: usage.costUsd,
    latencyMs: usage.latencyMs,
  };
}

/**
 * Of an answer without what it cost and how it is sealed: a trial that is recalled ends as it did, and costs something
 * else.
 */
export function hashWithoutUsage(answer: JobAnswer): string {
  const clear = <Part extends object>(part: Part) => ({ ...part, usage: null, seal: null, sealVersion: null });
  const isSealed = (part: unknown): part is object => typeof part === 'object' && part !== null && 'seal' in part;
  const members = Object.entries(answer).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map((part: unknown) => (isSealed(part) ? clear(part) : part)) : value,
  ]);
  return hashOf(clear(Object.fromEntries(members)));
}

const anyAnswerSchema = z.looseObject({ version: z.literal(1), id: z.string(), job: z.string(), seal: z.string() });

/**
 * Reads a stored answer by its job; of a job that this process does not know, as far as all answers are alike. Its
 * members stand in the order in which they were written, so that it is sent as it was sent first.
 */
export function readStoredAnswer(json: string, name: string): JobAnswer {
  const written: unknown = JSON.parse(json);
  const { data, error } = anyAnswerSchema.safeParse(written);
  if (error)
    throw new AgonError(
      'not-an-answer',
      `${name} is not an answer of Agon: ${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`,
      'Restore the ledger from an export or a backup.',
    );
  const read = findJob(data.job)?.readAnswer(json, name);
  return read && !isDeepStrictEqual(read, written) ? read : (written as JobAnswer);
}
