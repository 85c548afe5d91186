import { schemas } from '../api/index.ts';
import { type Verdict, describesImage, findTurns, isObservation } from '@agonhq/engine/debate';
import { threats, type Belonging, type OpenAiCategory, mapClauses } from './category-map.ts';
import { z } from 'zod';
import type { ModerationAnswer } from '@agonhq/judges/moderation';
import type { Policy } from '@agonhq/engine/policy';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { embeddedModel, clauseResemblance, findSpeechAct } from '@agonhq/models/reasoners';
import { readScore } from '@agonhq/engine/statistics';
import { partSeparator } from '@agonhq/engine/text';

type Resemblance = ReturnType<typeof clauseResemblance>;

const byPolicy = new WeakMap<Policy, Resemblance>();

/** How much what was judged resembles a clause, and how much more speaks for another, by what was learnt of them. */
export interface ClauseStanding {
  similarity: number;
  lag: number;
}

/** How near what was judged stands to each clause: as near as the nearest of its parts. */
async function measureResemblance(
  { sources }: Pick<ModerationAnswer, 'sources'>,
  policy: Policy,
  seeds: readonly KeptPrecedent[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ClauseStanding>> {
  let resemblance = byPolicy.get(policy);
  if (!resemblance)
    byPolicy.set(
      policy,
      (resemblance = clauseResemblance(
        policy,
        seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== null ? [{ clause, text }] : [])),
      )),
    );
  const near = new Map<string, ClauseStanding>();
  for (const text of splitContent(sources))
    for (const { id, similarity, standing } of await resemblance(text, { signal })) {
      const found = { similarity, lag: similarity - standing };
      const known = near.get(id);
      if (!known || measureNearness(found) > measureNearness(known)) near.set(id, found);
    }
  return near;
}

/** The content as the guard reads it: the text with what its images show, and by itself what is written in them. */
function splitContent(sources: ModerationAnswer['sources']): string[] {
  const written = sources.filter((source) => isObservation(source) && source.tool === 'ocr');
  const message = [...sources.filter((source) => !isObservation(source)), ...sources.filter(describesImage)]
    .map(({ text }) => text)
    .join(partSeparator);
  return [message, ...written.map(({ text }) => text)].filter((text) => text !== '');
}

/** The scores of an answer, by what its verdict and its debaters named and by what its content resembles. */
export async function scoreAnswer(
  answer: ModerationAnswer,
  policy: Policy,
  seeds: readonly KeptPrecedent[],
  signal: AbortSignal,
): Promise<CategoryScores> {
  const { preprocessor: _, ...seats } = answer.provenance.models;
  // The embedded judge names the nearest clause; a model that can read names all that hold.
  const namesAll = Object.values(seats).some((model) => model !== embeddedModel);
  return scoreCategories({
    verdict: answer.verdict,
    resemblances: await measureResemblance(answer, policy, seeds, signal),
    argued: new Set(namesAll ? findArguedClauses(answer) : []),
    namesAll,
    belongings: mapClauses(policy),
    isAddressed: splitContent(answer.sources).some((text) => findSpeechAct(text) === 'address'),
  });
}

const clauses = z.object({ clauses: z.array(z.string()) });
const naming = z.union([
  clauses.transform((named) => named.clauses),
  z.object({ risk: clauses }).transform(({ risk }) => risk.clauses),
]);

function findArguedClauses({ transcript }: ModerationAnswer): string[] {
  return findTurns(transcript).flatMap(({ answer, fallback }) =>
    fallback ? [] : (naming.safeParse(answer).data ?? []),
  );
}

const { openAiCategories } = schemas;

export type CategoryScores = Record<OpenAiCategory, number>;

export interface ScoredBy {
  verdict: Pick<Verdict, 'label' | 'risk' | 'bar' | 'categories'>;
  /** How near the content stands to each clause, by embedding. */
  resemblances: ReadonlyMap<string, ClauseStanding>;
  /** Clauses that somebody argued with. */
  argued: ReadonlySet<string>;
  /** The verdict names every clause that is broken, and not only the nearest. */
  namesAll: boolean;
  belongings: ReadonlyMap<string, Belonging>;
  /** It is said to somebody, and neither asked for nor told of others. */
  isAddressed?: boolean;
}

/** From here on a category is given: the verdict's risk is moved to where its bar is this. */
export const bar = 0.5;

/**
 * How much less a clause resembles the content than the nearest one does, for its share to fall by e. With it a
 * flagged text is under one to two categories.
 */
const spread = 0.06;

/**
 * And how much lag does it. A death threat has the words of somebody who urges another to die: it resembles both
 * clauses, and what was learnt of them tells it from the one.
 */
const lagSpread = 0.5;

const measureNearness = ({ similarity, lag }: ClauseStanding) => similarity / spread - lag / lagSpread;

/** A content that resembles no clause more than this resembles none: nothing has it all. */
const leastResemblance = 0.22;

/**
 * A score for each of OpenAI's categories: the verdict's score, times how much of it is the category's. One clause
 * has it all: the one that the verdict names, or else that the content stands nearest to; the others have the less
 * the farther away they are, and a kind of a category a little less than the category. Not calibrated by category.
 */
export function scoreCategories(scored: ScoredBy): CategoryScores {
  const whole = verdictScore(scored.verdict);
  const shares = shareOut(scored);
  const own = (category: OpenAiCategory) =>
    whole * largest([...shares].map(([clause, share]) => share * (scored.belongings.get(clause)?.[category] ?? 0)));
  const scores = Object.fromEntries(
    openAiCategories.map((category) => [category, category.includes('/') ? lessSure(own(category)) : own(category)]),
  ) as CategoryScores;
  for (const { category, of, threatening, isAimedByAddress } of threats) {
    const threat = whole * largest(threatening.map((clause) => shares.get(clause) ?? 0));
    if (isAimedByAddress && scored.isAddressed) scores[of] = Math.max(scores[of], lessSure(threat));
    scores[category] = Math.max(scores[category], lessSure(Math.min(scores[of], threat)));
  }
  return Object.fromEntries(
    openAiCategories.map((category) => [category, roundDown(scores[category])]),
  ) as CategoryScores;
}

/** On the same side of the bar. */
function lessSure(score: number): number {
  return score < bar ? 0.9 * score : bar + 0.9 * (score - bar);
}

/** What there is to be shared out: at least the bar where the verdict is unsafe, and less than it where it is not. */
function verdictScore({ label, risk, bar: own }: ScoredBy['verdict']): number {
  const score = risk === null || own === null ? null : readScore(risk, { bar: own });
  if (label === 'unsafe') return Math.max(bar, score ?? bar);
  return Math.min(bar - 1e-4, score ?? bar);
}

function shareOut({ verdict, resemblances, argued, namesAll }: ScoredBy): Map<string, number> {
  const named = new Set(verdict.categories.map(({ clause }) => clause));
  const nearest = largest(
    [...resemblances.values()].map(({ similarity }) => similarity),
    leastResemblance,
  );
  // Where the verdict names all there is, what stands near beside it is akin and no more.
  const most = verdict.label === 'unsafe' && namesAll && named.size > 0 ? bar - 1e-4 : 1;
  const shares = new Map(
    [...resemblances].map(([clause, standing]) => [
      clause,
      most * Math.exp(measureNearness(standing) - nearest / spread),
    ]),
  );
  for (const clause of argued) shares.set(clause, most);
  for (const clause of named) shares.set(clause, 1);
  return shares;
}

function largest(values: Iterable<number>, least = 0): number {
  return [...values].reduce((most, value) => Math.max(most, value), least);
}

/** Down, so that nothing reaches a bar by rounding. */
function roundDown(value: number): number {
  return Math.floor(value * 1e6 + 1e-6) / 1e6;
}
