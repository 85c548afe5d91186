import { AgonError } from '../errors.ts';
import type { Content } from '../jobs/moderation/index.ts';
import { toClaimClass } from './jobs/documents/report.ts';
import type { JudgedClaim, ClaimRun } from './jobs/documents/run-claims.ts';
import { claimClasses, type LabelledClaim } from './jobs/documents/labelled-claim.ts';
import type { LabelledItem } from './datasets/labelled-item.ts';
import type { ItemOutcome } from './jobs/safety/metrics.ts';
import type { BenchResult, ResultItem, ItemResult, SystemResult } from './result.ts';
import type { KeptJudgement } from './systems/results.ts';
import type { SystemRun } from './systems/run-system.ts';
import type { SystemDescription } from './systems/system.ts';
import { partSeparator, shortenWithin, toOneLine } from '../text/index.ts';

/** One who was measured, with a run for each repeat. */
export interface Measured<Run> {
  traits: SystemDescription;
  trained: SystemResult['trained'];
  runs: readonly Run[];
}

type About = Pick<BenchResult, 'data' | 'parameters' | 'notes'>;
type SafetyRun = SystemRun<LabelledItem<unknown>>;

/** The result of systems that say safe or unsafe. */
export function buildSafetyResult(
  job: 'moderation' | 'evaluation',
  about: About,
  measured: readonly Measured<SafetyRun>[],
): BenchResult {
  return {
    job,
    ...about,
    classes: ['safe', 'unsafe'],
    positive: 'unsafe',
    items: measured[0]!.runs[0]!.outcomes.map(safetyItem),
    systems: measured.map((one) =>
      buildSystemResult(one, (run, index) =>
        toSafetyItemResult(run.outcomes[index]!.judged, run.problems.get(run.outcomes[index]!.line)),
      ),
    ),
  };
}

/** The result of systems that label claims. */
export function buildClaimResult(about: About, measured: readonly Measured<ClaimRun>[]): BenchResult {
  const { outcomes } = measured[0]!.runs[0]!;
  const hasNeutral = outcomes.some(({ item }) => item?.label === 'neutral');
  return {
    job: 'documents',
    ...about,
    classes: claimClasses.filter((label) => label !== 'neutral' || hasNeutral),
    positive: null,
    items: outcomes.map(({ line, item }) => claimItem(line, item)),
    systems: measured.map((one) =>
      buildSystemResult(one, (run, index) =>
        toClaimItemResult(run.outcomes[index]!.judged, hasNeutral, run.problems.get(run.outcomes[index]!.line)),
      ),
    ),
  };
}

function buildSystemResult<
  Run extends { system: { configuration: string }; outcomes: readonly unknown[]; itemsPerSecond: number | null },
>(
  { traits: { name, kind, models, of, rounds }, trained, runs }: Measured<Run>,
  outcomeOf: (run: Run, index: number) => ItemResult,
): SystemResult {
  const rates = runs.flatMap(({ itemsPerSecond }) => itemsPerSecond ?? []);
  return {
    name,
    kind,
    models,
    of,
    rounds,
    trained,
    configuration: runs[0]!.system.configuration,
    repeats: runs.map((run) => run.outcomes.map((_, index) => outcomeOf(run, index))),
    itemsPerSecond: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
  };
}

/** What a kept judgement is in a result. */
export function toSafetyItemResult(judged: KeptJudgement | null, problem: string | undefined): ItemResult {
  if (!judged) return failed(problem);
  const { label, score, probability, opening, usage, byModel, latencyMs, rule, turns } = judged;
  return {
    said: label,
    score: probability ?? score,
    opening: opening && { said: opening.label, score: opening.score },
    usage,
    byModel,
    latencyMs,
    rule,
    problem: null,
    turns,
  };
}

export function toClaimItemResult(
  judged: JudgedClaim | null,
  hasNeutral: boolean,
  problem: string | undefined,
): ItemResult {
  if (!judged) return failed(problem);
  const { label, opening, usage, byModel, latencyMs, rule, turns } = judged;
  return {
    said: toClaimClass(label, hasNeutral),
    score: null,
    opening: opening && { said: toClaimClass(opening, hasNeutral), score: null },
    usage,
    byModel,
    latencyMs,
    rule,
    problem: null,
    turns,
  };
}

function failed(problem = 'Nothing was said of it.'): ItemResult {
  return {
    said: 'failed',
    score: null,
    opening: null,
    usage: null,
    byModel: {},
    latencyMs: null,
    rule: null,
    problem,
    turns: [],
  };
}

function safetyItem({ line, item }: ItemOutcome<LabelledItem<unknown>>): ResultItem {
  if (!item) return broken(line);
  return {
    line,
    id: item.id ?? null,
    gold: item.unsafe ? 'unsafe' : 'safe',
    category: item.category,
    modality: item.modality,
    trivial: item.trivial,
    raters: item.raters,
    model: 'model' in item && typeof item.model === 'string' ? item.model : null,
    excerpt: excerptOf(AgonError.is(item.subject) ? '' : wordsOf(item.subject)),
  };
}

function claimItem(line: number, item: LabelledClaim | null): ResultItem {
  if (!item) return broken(line);
  return {
    line,
    id: item.id ?? null,
    gold: item.label,
    category: item.category,
    modality: 'claim',
    trivial: false,
    raters: item.raters,
    model: null,
    excerpt: excerptOf(item.claim),
  };
}

function broken(line: number): ResultItem {
  return {
    line,
    id: null,
    gold: null,
    category: null,
    modality: null,
    trivial: false,
    raters: null,
    model: null,
    excerpt: '',
  };
}

/** A content's or an exchange's own words. */
function wordsOf(subject: unknown): string {
  const { text, images, prompt, response, messages } = subject as Partial<Content> & {
    prompt?: string;
    response?: string;
    messages?: readonly { role: string; content: string }[];
  };
  const described = (images ?? []).flatMap((image) => ('description' in image ? [image.description] : []));
  const said = (messages ?? []).map(({ role, content }) => `${role}: ${content}`);
  return [text, ...described, prompt, response, ...said].filter((part) => part !== undefined).join(partSeparator);
}

const mostCharacters = 400;

function excerptOf(text: string): string {
  return shortenWithin(toOneLine(text), mostCharacters);
}
