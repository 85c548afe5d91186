import { describe, expect, it } from 'vitest';
import { json } from '@agonhq/test/fake-provider/index.ts';
import { good, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { computeCost, findListPrice } from './prices.ts';

describe('list prices', () => {
  it.each([
    ['openai', 'gpt-4o', 2.5],
    ['openai', 'gpt-4o-2024-08-06', 2.5],
    ['openai', 'gpt-4o-mini-2024-07-18', 0.15],
    ['openai', 'gpt-4.1-nano-2025-04-14', 0.1],
    ['azure', 'gpt-4o-mini', 0.15],
    ['anthropic', 'claude-sonnet-4-20250514', 3],
    ['anthropic', 'claude-sonnet-4-5-20250929', 3],
    ['anthropic', 'claude-opus-4-5', 5],
    ['anthropic', 'claude-3-5-haiku-latest', 0.8],
    ['google', 'gemini-2.5-flash-lite', 0.1],
    ['google', 'gemini-2.5-flash-preview-09-2025', 0.3],
  ])('%s %s costs $%d per million input tokens', (kind, model, input) => {
    expect(findListPrice(kind, model)?.input).toBe(input);
  });

  it.each([
    ['openai', 'gpt-4o-audio-preview'],
    ['openai', 'gpt-7'],
    ['anthropic', 'gpt-4o'],
    ['openai-compatible', 'gpt-4o'],
  ])('%s %s is not known', (kind, model) => {
    expect(findListPrice(kind, model)).toBeNull();
  });

  it('charge cached tokens at their own rate', () => {
    const tokens = { inputTokens: 1_000_000, cachedTokens: 500_000, outputTokens: 100_000 };
    expect(computeCost(tokens, findListPrice('openai', 'gpt-4o'))).toBeCloseTo(1.25 + 0.625 + 1, 12);
    expect(computeCost(tokens, null)).toBeNull();
  });
});

describe('the cost of an answer', () => {
  const usage = { inputTokens: 1000, outputTokens: 1000 };

  it.each([
    ['ollama:llama3.2', {}, 0],
    ['groq:llama-3.1-8b', {}, null],
    ['groq:llama-3.1-8b', { models: { 'groq:llama-3.1-8b': { price: { input: 1, output: 2 } } } }, 0.003],
    ['openai:gpt-4o', { models: { 'openai:gpt-4o': { price: { input: 0, output: 0 } } } }, 0],
  ])('of %s with %j is %s', async (model, settings, cost) => {
    await using stage = await setStage(() => json(good, { usage }), settings, model);
    expect((await stage.ask()).usage.costUsd).toBe(cost);
  });
});
