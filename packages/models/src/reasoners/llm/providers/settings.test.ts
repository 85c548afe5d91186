import { describe, expect, it } from 'vitest';
import { llmSettingsSchema } from './settings.ts';

const problem = (settings: unknown) => {
  const { path, message } = llmSettingsSchema.safeParse(settings).error!.issues[0]!;
  return `${path.join('.')}: ${message}`;
};

describe('the settings', () => {
  it('may all be left out', () => {
    expect(llmSettingsSchema.parse({})).toMatchObject({
      defaults: { concurrency: 8, timeoutMs: 60_000, retries: 3 },
      cache: false,
      budget: {},
      telemetry: false,
    });
  });

  it('can be read again after their defaults were filled in', () => {
    const once = llmSettingsSchema.parse({
      telemetry: {},
      models: { 'openai:gpt-4o': { price: { input: 1, output: 2 } } },
    });
    expect(llmSettingsSchema.parse(once)).toEqual(once);
  });

  it.each([
    [{ provider: {} }, /Unrecognized key: "provider"/],
    [{ providers: { openai: { apikey: 'x' } } }, /providers\.openai: Unrecognized key: "apikey"/],
    [{ providers: { x: { baseUrl: 'box:8000' } } }, /providers\.x\.baseUrl: must be an http or https URL/],
    [{ providers: { x: { baseUrl: 'http://me:pw@box/v1' } } }, /must not carry a user name or password/],
    [{ models: { 'gpt-4o': {} } }, /models\.gpt-4o/],
    [{ models: { 'openai:gpt-4o': { fallbacks: ['gpt-4o-mini'] } } }, /must name a model as provider:model/],
    [{ models: { 'openai:gpt-4o': { temperature: 3 } } }, /temperature/],
    [{ budget: { runUsd: -1 } }, /budget\.runUsd/],
    [{ cache: true }, /cache/],
  ])('%j are refused with the key that is wrong', (settings, expected) => {
    expect(problem(settings)).toMatch(expected);
  });
});
