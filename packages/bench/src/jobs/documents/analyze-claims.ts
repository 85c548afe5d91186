import { findTurns, type Usage } from '@agonhq/engine/debate';
import { judgeOpening, type Analysis, type AnalyzeOptions, type ClaimAnswer, type Dossier } from '@agonhq/documents';
import { condenseAnswer } from '../../systems/system.ts';
import type { JudgedClaim, ClaimSystem } from './run-claims.ts';
import { foldCase, toOneLine } from '@agonhq/engine/text';

type Analyze = (files: readonly { name: string; bytes: Uint8Array }[], options: AnalyzeOptions) => Promise<Analysis>;

/** A system that puts claims to an analysis as the user's own. */
export function analyzeClaimsWith(analyze: Analyze): ClaimSystem['examine'] {
  return async ({ claims, open }, signal) => {
    const budgets = new Map(claims.map(({ item, tokens }) => [folded(item.claim), tokens]));
    const budgeted = claims.some(({ tokens }) => tokens !== null);
    const analysis = await analyze([await open()], {
      factors: claims.map(({ item }) => item.claim),
      signal,
      outlook: false,
      ...(budgeted ? { tokens: (claim: string) => budgets.get(folded(claim)) ?? null } : {}),
    });
    const byText = new Map(analysis.claims.map((answer) => [folded(answer.subject.text), answer]));
    const shared = sharedBy(claims.length, analysis);
    return claims.flatMap(({ key, item }) => {
      const answer = byText.get(folded(item.claim));
      return answer ? [{ ...judgedClaim(key, answer, analysis), ...shared }] : [];
    });
  };
}

/**
 * One answer about all claims is paid for by each in equal parts, and each waits for it; nothing where claims have
 * turns of their own.
 */
function sharedBy(claims: number, { transcript, usage }: Analysis): Partial<JudgedClaim> {
  if (!findTurns(transcript).some(({ seat }) => seat === 'zero-shot')) return {};
  const byModel = Object.fromEntries(
    Object.entries(usage.byModel).map(([model, spent]) => [model, partOf(spent, claims)]),
  );
  return { usage: partOf(usage, claims), byModel, latencyMs: usage.latencyMs };
}

function partOf({ calls, inputTokens, outputTokens, cachedTokens, costUsd }: Usage, parts: number): Usage {
  return {
    calls: calls / parts,
    inputTokens: inputTokens / parts,
    outputTokens: outputTokens / parts,
    cachedTokens: cachedTokens / parts,
    costUsd: costUsd === null ? null : costUsd / parts,
  };
}

/** A claim that is put twice is judged once. */
function folded(text: string): string {
  return toOneLine(foldCase(text));
}

function judgedClaim(key: string, answer: ClaimAnswer, dossier: Dossier): JudgedClaim {
  const { verdict, usage } = answer;
  return {
    key,
    label: verdict.label,
    score: verdict.score,
    cited: citedParts(answer, dossier),
    ...condenseAnswer(answer),
    opening: judgeOpening(answer)?.label ?? null,
    latencyMs: usage.latencyMs,
  };
}

/** The parts that a verdict cites or, where it cites none, the debate does. */
function citedParts({ verdict, transcript }: ClaimAnswer, { documents }: Dossier): number[] | null {
  const counted = new Map<string, number>(
    documents.flatMap(({ name, blocks }) =>
      blocks.flatMap(({ id, sourceIndex }) =>
        sourceIndex === undefined ? [] : [[`${name}#${id}`, sourceIndex] as const],
      ),
    ),
  );
  if (counted.size === 0) return null;
  const parts = (evidence: readonly { source: string | null; verified: boolean }[]) =>
    evidence.flatMap(({ source, verified }) =>
      verified && source !== null ? (counted.get(/^.*#b\d+/u.exec(source)?.[0] ?? '') ?? []) : [],
    );
  const own = parts(verdict.evidence);
  return [...new Set(own.length > 0 ? own : findTurns(transcript).flatMap(({ evidence }) => parts(evidence)))];
}
