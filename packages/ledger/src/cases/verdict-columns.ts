import { hashOf } from '@agonhq/engine/hash';
import type { AnswerDescription, JobAnswer } from '@agonhq/engine/debate';
import { toStored } from '../database/stored-json.ts';

/** What only lists show of an answer. */
export interface VerdictMarks {
  disagreement: number | null;
  models: readonly string[];
  /** Of the policy, that it goes by. */
  clauses: readonly string[];
  costUsd: number | null;
  latencyMs: number | null;
  isReviewed: boolean;
}

/** What is listed of an answer: the columns of its verdict, and what only lists show. */
export function readVerdict({ provenance, usage }: JobAnswer, { summary, index, isReviewed }: AnswerDescription) {
  const { label, risk, bar, escalate, rule, action = null, severity = null, categories: clauses } = summary;
  const { categories = [], degraded = false, modality = null, disagreement = null } = index;
  const columns = {
    label,
    risk,
    bar,
    escalate: Number(escalate),
    rule: rule.id,
    categories: toStored(categories),
    degraded: Number(degraded),
    modality,
    action,
    severity,
  };
  const marks: VerdictMarks = {
    disagreement,
    models: [...new Set(Object.values(provenance.models))],
    clauses: [...new Set(clauses)],
    costUsd: usage.costUsd,
    latencyMs: usage.latencyMs,
    isReviewed,
  };
  return { columns, marks };
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
