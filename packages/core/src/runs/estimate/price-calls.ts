import { computeCost, type MeteredCall, type ModelTerms } from '@agonhq/models/reasoners';
import { firstTokenMs, tokensPerSecond } from './duration.ts';
import type { FindPast } from './past-turns.ts';

/*
 * An answer is about a fifth as long as it may be (`npm run bench:tokens`: .17 to .21 for every seat of moderation).
 * How long models think nobody has measured here.
 */
export const usualShare = 0.2;
export const thoughtShare = 0.25;

/** A call with what it is expected to use. */
export interface PricedCall extends MeteredCall {
  /** Calls a turn: more than one where answers were repaired before. */
  times: number;
  outputTokens: number;
  usd: number | null;
  atMostUsd: number | null;
  latencyMs: number;
  pastTurns: number | null;
}

/** Per item, summed over its calls. */
export type PriceTotals = Record<'calls' | 'inputTokens' | 'outputTokens' | 'usd', number>;

export function priceCall(call: MeteredCall, { price }: ModelTerms, past: FindPast): PricedCall {
  const known = past(call.role, call.model);
  const outputTokens =
    known?.outputTokensPerCall ?? call.maxOutputTokens * usualShare + call.thinkingTokens * thoughtShare;
  const count = known?.callsPerTurn ?? 1;
  const once = computeCost({ inputTokens: call.inputTokens, outputTokens, cachedTokens: 0 }, price);
  return {
    ...call,
    times: count,
    outputTokens,
    usd: once === null ? null : once * count,
    atMostUsd: computeCost(call.worst, price),
    latencyMs: known?.latencyMsPerCall ?? firstTokenMs + (outputTokens / tokensPerSecond) * 1_000,
    pastTurns: known?.turns ?? null,
  };
}

export function sumTotals(calls: readonly PricedCall[]): PriceTotals {
  return {
    calls: sum(calls, (call) => call.times),
    inputTokens: sum(calls, (call) => call.times * call.inputTokens),
    outputTokens: sum(calls, (call) => call.times * call.outputTokens),
    usd: sum(calls, ({ usd }) => usd ?? 0),
  };
}

/** Calls that heard as much are made at once, and the slowest of them is waited for. */
export function measureChain(calls: readonly PricedCall[]): number {
  const steps = Map.groupBy(calls, ({ heard }) => heard).values();
  return [...steps].reduce((total, step) => total + Math.max(...step.map((call) => call.latencyMs * call.times)), 0);
}

export function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

export function scaleTotals<Values extends Record<string, number>>(values: Values, factor: number): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value * factor])) as Values;
}
