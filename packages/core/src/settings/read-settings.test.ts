import { ownJobs } from '../own-jobs.ts';
import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { readSettings } from './read-settings.ts';

function complaint(value: unknown, origin = 'agon.config.yaml'): string {
  try {
    readSettings(ownJobs, value, origin);
  } catch (error) {
    if (AgonError.is(error)) return `${error.message} ${error.hint}`;
    throw error;
  }
  throw new Error('nothing was wrong with it');
}

test('settings that are right come back as they were written', () => {
  const settings = {
    seats: {
      debaters: 'openai:gpt-4o-mini',
      arbiter: 'openai:gpt-4o',
      auditor: ['openai:gpt-5', 'xai:grok-3'],
      'detector#2': 'ollama:llama3.1',
    },
    providers: { 'my-gateway': { baseUrl: 'http://127.0.0.1:8000/v1' } },
    models: { 'ollama:llama3.1:8b': { price: { input: 0, output: 0 }, fallbacks: ['openai:gpt-4o-mini'] } },
    cache: { directory: '.cache' },
    moderation: { rounds: 3, without: ['retrieval'] },
    evaluation: { method: 'debate', agents: 2, stubbornness: { auditor: 0.7 }, reference: 'reference.json' },
  };
  expect(readSettings(ownJobs, settings, 'test')).toEqual(settings);
});

describe('a mistake is named by where it was written, its key and the fix', () => {
  test.each([
    [
      { seat: {} },
      'agon.config.yaml: there is no setting "seat". Known here: seats, moderation, evaluation, documents, ' +
        'policy, sensitivity, firstPass, calibration, ledger, knownImages, knownImageDistance, embedding, learn, checkpoints, statements, server, ' +
        'teams, jobs, providers, models, defaults, cache, budget, local, ' +
        'telemetry.',
    ],
    [
      { seats: { jury: 'a:b' } },
      /^agon\.config\.yaml: seats: there is no setting "jury"\. Known here: default, debaters, preprocessor, .*judge, auditor, .*synthesizer, curator\.$/,
    ],
    [
      { seats: { auditor: 'gpt-5' } },
      /^agon\.config\.yaml: seats\.auditor: must name a model as provider:model, for example/,
    ],
    [
      { seats: { auditor: 5 } },
      /^agon\.config\.yaml: seats\.auditor: must be a model as provider:model, or up to three of them in a list\. Seats take/,
    ],
    [
      { seats: { detector: ['a:b', 'a:b', 'a:b', 'a:b'] } },
      /seats\.detector: must be a model as provider:model, or up to three of them in a list\./,
    ],
    [{ evaluation: { rounds: 11 } }, /evaluation\.rounds: must be at most 10\./],
    [{ evaluation: { agents: 4 } }, /evaluation\.agents: must be at most 3\./],
    [
      { evaluation: { method: 'coin' } },
      /evaluation\.method: must be one of "debate", "vote", "role-free", "judge", "control", "prefix-match", "pattern-match"\./,
    ],
    [
      { evaluation: { stubbornness: { critic: 1 } } },
      /evaluation\.stubbornness: there is no setting "critic"\. Known here: auditor, detector\.$/,
    ],
    [{ evaluation: { stubbornness: { auditor: 1.5 } } }, /evaluation\.stubbornness\.auditor: must be at most 1\./],
    [
      { evaluation: { shots: Array.from({ length: 9 }, () => ({ prompt: 'a', response: 'b', label: 'safe' })) } },
      /evaluation\.shots: must be at most 8\./,
    ],
    [
      { evaluation: { shots: [{ prompt: 'a', response: 'b', label: 'fine' }] } },
      /evaluation\.shots\.0\.label: must be one of "safe", "unsafe"\./,
    ],
    [{ evaluation: { smoothing: 0 } }, /evaluation\.smoothing: must be more than 0\./],
    [
      { models: { 'openai:gpt-4.1': { pice: 1 } } },
      /^agon\.config\.yaml: models\.openai:gpt-4\.1: there is no setting "pice"\. Known here: concurrency, .*price, fallbacks\.$/,
    ],
    [
      { providers: { fake: { url: 'x' } } },
      /^agon\.config\.yaml: providers\.fake: there is no setting "url"\. Known here: kind, baseUrl, apiKey/,
    ],
    [
      { calibration: true },
      /^agon\.config\.yaml: calibration: must be false, or a file that `agon calibrate` wrote\. /,
    ],
    [
      { evaluation: { reference: true } },
      /^agon\.config\.yaml: evaluation\.reference: must be false, or a file that `agon bench evaluation --fit-reference` wrote\. /,
    ],
    [{ cache: { folder: 'x' } }, /^agon\.config\.yaml: cache: must be false, ledger, or \{ directory \}\. /],
    [
      { moderation: { rounds: 'two' } },
      /^agon\.config\.yaml: moderation\.rounds: must be a (whole )?number\. docs\/configuration\.md/,
    ],
    [{ moderation: { rounds: 1.5 } }, /moderation\.rounds: must be a whole number\./],
    [{ moderation: { rounds: 4 } }, /moderation\.rounds: must be at most 3\./],
    [{ moderation: { rounds: 0 } }, /moderation\.rounds: must be at least 1\./],
    [{ moderation: { turns: 'random' } }, /moderation\.turns: must be one of "together", "alternate"\./],
    [{ moderation: { without: ['judge'] } }, /moderation\.without\.0: must be one of "retrieval", "supporter"/],
    [{ moderation: [] }, /moderation: must be a group of settings\./],
    [{ budget: { itemUsd: 0 } }, /budget\.itemUsd: must be more than 0\./],
    [
      { seats: { arbiter: 'gpt-4o' } },
      'agon.config.yaml: seats.arbiter: must name a model as provider:model, for example openai:gpt-4o-mini. ' +
        'Seats take provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.',
    ],
    [
      { models: { 'gpt-4o': {} } },
      /^agon\.config\.yaml: models\.gpt-4o: must name a model as provider:model.*Models are named provider:model/,
    ],
    [{ providers: { x: { baseUrl: 'localhost:80' } } }, /providers\.x\.baseUrl: must be an http or https URL/],
    [
      'openai:gpt-4o',
      'agon.config.yaml: must be a group of settings. docs/configuration.md lists every setting with its values.',
    ],
    [null, /must be a group of settings/],
  ])('%j', (value, expected) => {
    expect(complaint(value)).toMatch(expected);
  });
});

test('an API key is never repeated in a complaint about it', () => {
  expect(complaint({ providers: { openai: { apiKey: ['sk-secret-1234567890'] } } })).not.toContain('sk-secret');
  expect(complaint({ providers: { openai: { baseUrl: 'https://user:sk-secret-1@host/v1' } } })).not.toContain(
    'sk-secret',
  );
});
