import { turnsOf } from '../../debate/index.ts';
import type { Analysis, ClaimAnswer, Dossier } from '../../documents/index.ts';
import type { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { isMistake, runItems, type Progress } from '../../runs/index.ts';
import type { ClaimData } from './claim-data.ts';
import type { ClaimResults, JudgedClaim } from './claim-results.ts';
import type { LabelledClaim } from './labelled-claim.ts';
import { openClaimSource } from './open-source.ts';

/** What is measured: a debate, or one of the judges it is held against. */
export interface ClaimSystem {
  name: string;
  /** Changes when a judgement may change. */
  configuration: string;
  /** Judges claims against one document. */
  analyze(files: readonly { name: string; bytes: Uint8Array }[], claims: readonly string[], signal: AbortSignal): Promise<Analysis>;
}

export interface ClaimOutcome {
  line: number;
  /** Null for a broken line. */
  item: LabelledClaim | null;
  /** Null when the claim failed. */
  judged: JudgedClaim | null;
}

/** One system over one set of claims. */
export interface ClaimRun {
  system: Pick<ClaimSystem, 'name' | 'configuration'>;
  /** In the order of the data. */
  outcomes: readonly ClaimOutcome[];
  /** Claims judged in a second; null when all were judged by an earlier run. */
  itemsPerSecond: number | null;
  summary: Progress;
}

export interface RunClaimsOptions {
  results: ClaimResults;
  /** Documents at once. */
  concurrency: number;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

interface Together {
  /** Of the same document. */
  claims: readonly { key: string; item: LabelledClaim }[];
}

/** Judges every claim of the data; a document is read once for all its claims. */
export async function runClaims(system: ClaimSystem, data: ClaimData, options: RunClaimsOptions): Promise<ClaimRun> {
  const { results, ...conditions } = options;
  const read = data.lines.flatMap((line) => ('item' in line ? [line] : []));
  const groups = [...Map.groupBy(read, ({ item }) => hashOf(item.source))].map(([source, lines]) => {
    const claims = lines.map(({ key, item }) => ({ key, item }));
    const made = hashOf([system.configuration, source, claims.map(({ key, item }) => [key, item.claim])]).slice(7, 23);
    return { line: lines[0]!.line, key: `${system.name}/${made}`, item: { claims } };
  });
  for (const line of data.lines) if ('error' in line) conditions.onError?.(line.error, line.line);
  const started = performance.now();
  const summary = await runItems<Together, { claims: JudgedClaim[] }>({
    ...conditions,
    items: inTurn(groups),
    judge: ({ claims }, signal) => judge(system, claims, data.root, signal),
    write: results.write,
    done: new Set(results.judged.keys()),
    total: groups.length,
    isFatal: isMistake,
  });
  const seconds = (performance.now() - started) / 1000;
  const judged = new Map(groups.flatMap(({ key }) => (results.judged.get(key) ?? []).map((one) => [one.key, one] as const)));
  const outcomes = data.lines.map((line): ClaimOutcome => ('item' in line ? { line: line.line, item: line.item, judged: judged.get(line.key) ?? null } : { line: line.line, item: null, judged: null }));
  return { system, outcomes, itemsPerSecond: summary.judged === 0 ? null : outcomes.filter((outcome) => outcome.judged).length / seconds, summary };
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}

async function judge(system: ClaimSystem, claims: Together['claims'], root: string, signal: AbortSignal): Promise<{ claims: JudgedClaim[] }> {
  const file = await openClaimSource(claims[0]!.item.source, root);
  const { documents, claims: answers } = await system.analyze([file], claims.map(({ item }) => item.claim), signal);
  const byText = new Map(answers.map((answer) => [folded(answer.subject.text), answer]));
  return { claims: claims.flatMap(({ key, item }) => {
    const answer = byText.get(folded(item.claim));
    return answer ? [judgedClaim(key, answer, { documents })] : [];
  }) };
}

/** A claim that is put twice is judged once. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ').trim();
}

function judgedClaim(key: string, answer: ClaimAnswer, dossier: Dossier): JudgedClaim {
  const { verdict, usage } = answer;
  const { calls, inputTokens, outputTokens, cachedTokens, costUsd, latencyMs } = usage;
  return { key, label: verdict.label, score: verdict.score, rule: verdict.rule.id, cited: citedParts(answer, dossier), usage: { calls, inputTokens, outputTokens, cachedTokens, costUsd }, latencyMs };
}

/** The parts that a verdict cites or, where it cites none, the debate does. */
function citedParts({ verdict, transcript }: ClaimAnswer, { documents }: Dossier): number[] | null {
  const counted = new Map<string, number>(documents.flatMap(({ name, blocks }) => blocks.flatMap(({ id, sourceIndex }) => (sourceIndex === undefined ? [] : [[`${name}#${id}`, sourceIndex] as const]))));
  if (counted.size === 0) return null;
  const parts = (evidence: readonly { source: string | null; verified: boolean }[]) =>
    evidence.flatMap(({ source, verified }) => (verified && source !== null ? (counted.get(/^.*#b\d+/u.exec(source)?.[0] ?? '') ?? []) : []));
  const own = parts(verdict.evidence);
  return [...new Set(own.length > 0 ? own : turnsOf(transcript).flatMap(({ evidence }) => parts(evidence)))];
}
