import { z } from 'zod';
import { defineStep, findTurns, findValue, readAnswer, type Answer, type Transcript } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { toStored } from '../database/stored-json.ts';
import type { ClosedDossier } from './cases.ts';

const dossierSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  job: z.string(),
  outlook: z.looseObject({ label: z.string(), rule: z.looseObject({ id: z.string() }) }),
  claims: z.array(z.looseObject({ verdict: z.looseObject({ escalate: z.boolean(), degraded: z.array(z.unknown()) }) })),
  degraded: z.array(z.unknown()).optional(),
  seal: z.string(),
});

/** What a list of cases shows of an answer. A dossier's is its outlook, and what holds for any of its claims. */
export function readVerdictColumns(answer: Answer | ClosedDossier) {
  if ('outlook' in answer) {
    const verdicts = answer.claims.map(({ verdict }) => verdict);
    return {
      label: answer.outlook.label,
      score: null,
      probability: null,
      escalate: Number(verdicts.some(({ escalate }) => escalate)),
      rule: answer.outlook.rule.id,
      categories: toStored([]),
      degraded: Number([answer, ...verdicts].some(({ degraded = [] }) => degraded.length > 0)),
      modality: 'documents',
    };
  }
  const { label, score, probability, escalate, rule, categories, degraded } = answer.verdict;
  const { modality } = answer.subject as { modality?: unknown };
  return {
    label,
    score,
    probability,
    escalate: Number(escalate),
    rule: rule.id,
    categories: toStored([...new Set(categories.map(({ id }) => id))]),
    degraded: Number(degraded.length > 0),
    modality: typeof modality === 'string' ? modality : null,
  };
}

/** What only lists show of an answer. */
export interface VerdictMarks {
  confidence: number | null;
  disagreement: number | null;
  models: readonly string[];
  costUsd: number | null;
  latencyMs: number | null;
}

export function readVerdictMarks(answer: Answer | ClosedDossier): VerdictMarks {
  const { provenance, usage } = answer as {
    provenance?: { models?: Record<string, string> };
    usage?: { costUsd?: number | null; latencyMs?: number };
  };
  const both = {
    models: [...new Set(Object.values(provenance?.models ?? {}))],
    costUsd: usage?.costUsd ?? null,
    latencyMs: usage?.latencyMs ?? null,
  };
  // Every claim of a dossier has sides of its own, and none of them speaks for the outlook.
  if ('outlook' in answer) return { confidence: null, disagreement: null, ...both };
  return {
    confidence: answer.verdict.confidence ?? null,
    disagreement: measureDisagreement(answer.transcript),
    ...both,
  };
}

const mixtureStep = defineStep<unknown>('mixture');
const sharesSchema = z.record(z.string(), z.number());
const sidesSchema = z.object({ auditor: sharesSchema, detector: sharesSchema });

/**
 * Of two debaters: how far apart their last scores are. Of two benches of judges: how far apart their last mean
 * distributions are (total variation).
 */
function disagreementIn(transcript: Transcript): number | null {
  const step = findValue(transcript, mixtureStep);
  const means = step === undefined ? undefined : sidesSchema.safeParse(step).data;
  if (means)
    return (
      Object.keys(means.auditor).reduce(
        (sum, concept) => sum + Math.abs(means.auditor[concept]! - (means.detector[concept] ?? 0)),
        0,
      ) / 2
    );
  const lastScore = (role: string) => findTurns(transcript).findLast((turn) => turn.role === role)?.score ?? null;
  const strict = lastScore('strict-debater');
  const loose = lastScore('loose-debater');
  return strict === null || loose === null ? null : Math.abs(strict - loose);
}

/** Reads a stored answer, whichever of the two it is; `name` is for the message. */
export function readStoredAnswer(json: string, name: string): Answer | ClosedDossier {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || !('outlook' in value)) return readAnswer(json, name);
  const { error } = dossierSchema.safeParse(value);
  if (error)
    throw new AgonError(
      'not-an-answer',
      `${name} is not an answer of Agon: ${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`,
      'Restore the ledger from an export or a backup.',
    );
  return value as ClosedDossier;
}
