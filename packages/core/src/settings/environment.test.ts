import { ownJobs } from '../own-jobs.ts';
import { expect, test } from 'vitest';
import { settingsFromEnvironment } from './read-settings.ts';
import { listSettings } from './table.ts';

test('variables become settings of the right type, and an empty one counts as absent', () => {
  const settings = settingsFromEnvironment(ownJobs, {
    AGON_MODEL: 'ollama:llama3.1',
    AGON_ARBITER: '',
    AGON_MODERATION_METHOD: 'vote',
    AGON_MODERATION_ROUNDS: '3',
    AGON_MODERATION_EARLY_STOP: 'false',
    AGON_MODERATION_VISION: '0',
    AGON_MODERATION_WITHOUT: 'retrieval, supporter',
    AGON_CACHE: '.cache',
    AGON_BUDGET_RUN_USD: '2.50',
    AGON_TELEMETRY: 'content',
    AGON_AUDITOR: 'openai:gpt-5, xai:grok-3',
    AGON_DETECTOR: 'xai:grok-3',
    AGON_SYNTHESIZER: 'openai:gpt-4o',
    AGON_DOCUMENTS_METHOD: 'single',
    AGON_DOCUMENTS_MAX_FACTORS: '6',
    AGON_DOCUMENTS_OCR: 'false',
    AGON_DOCUMENTS_LIMITS_PAGES: '400',
    AGON_EVALUATION_METHOD: 'role-free',
    AGON_EVALUATION_CONSENSUS: '0',
    AGON_EVALUATION_REFERENCE: 'false',
    AGON_EVALUATION_STUBBORNNESS_AUDITOR: '.25',
    PATH: '/bin',
  });
  expect(settings).toEqual({
    seats: {
      default: 'ollama:llama3.1',
      auditor: ['openai:gpt-5', 'xai:grok-3'],
      detector: 'xai:grok-3',
      synthesizer: 'openai:gpt-4o',
    },
    documents: { method: 'single', maxFactors: 6, ocr: false, limits: { pages: 400 } },
    evaluation: { method: 'role-free', consensus: false, reference: false, stubbornness: { auditor: 0.25 } },
    moderation: { method: 'vote', rounds: 3, earlyStop: false, vision: false, without: ['retrieval', 'supporter'] },
    cache: { directory: '.cache' },
    budget: { runUsd: 2.5 },
    telemetry: { content: true },
  });
});

test('what is not set gives no settings at all', () => {
  expect(settingsFromEnvironment(ownJobs, {})).toEqual({});
});

const wrong: Record<string, [value: string, reason: RegExp]> = {
  AGON_MODEL: ['gpt-4o', /provider:model/],
  AGON_MODERATION_METHOD: ['coin', /one of "debate", "judge", "vote", "role-free", "control", "refusal-match"/],
  AGON_MODERATION_ROUNDS: ['many', /must be a (whole )?number/],
  AGON_MODERATION_EARLY_STOP: ['perhaps', /must be a boolean/],
  AGON_MODERATION_TURNS: ['random', /"together", "alternate"/],
  AGON_MODERATION_WITHOUT: ['judge', /one of "retrieval"/],
  AGON_BUDGET_RUN_USD: ['-1', /more than 0/],
  AGON_CONCURRENCY: ['0', /more than 0/],
  AGON_AUDITOR: ['a:b,gpt-5', /provider:model/],
  AGON_SYNTHESIZER: ['gpt-4o', /provider:model/],
  AGON_DOCUMENTS_METHOD: ['coin', /one of "debate", "single", "zero-shot", "vote", "control"/],
  AGON_DOCUMENTS_MAX_FACTORS: ['0', /at least 1/],
  AGON_DOCUMENTS_LIMITS_BYTES: ['1.5', /a whole number/],
  AGON_EVALUATION_CONSENSUS: ['perhaps', /must be a boolean/],
  AGON_EVALUATION_CONSENSUS_BOUND: ['near', /must be a number/],
  AGON_EVALUATION_STUBBORNNESS_DETECTOR: ['2', /at most 1/],
};

test.each(Object.entries(wrong))('a wrong %s is named by the variable', (name, [value, reason]) => {
  const attempt = () => settingsFromEnvironment(ownJobs, { [name]: value });
  expect(attempt).toThrow(new RegExp(`^environment: ${name}: .*${reason.source}`));
});

test('the address of a database is stronger than the file of a ledger, and the file can be turned off', () => {
  expect(
    settingsFromEnvironment(ownJobs, { AGON_LEDGER: 'cases.sqlite', AGON_DATABASE_URL: 'postgres://db/agon' }),
  ).toEqual({
    ledger: 'postgres://db/agon',
  });
  expect(settingsFromEnvironment(ownJobs, { AGON_LEDGER: 'false' })).toEqual({ ledger: false });
});

test('every variable is called AGON_ and stands for one setting', () => {
  const variables = listSettings(ownJobs).flatMap((row) => row.variables);
  expect(variables.filter((name) => !/^AGON_[A-Z0-9_]+$/.test(name))).toEqual([]);
  expect(new Set(variables).size).toBe(variables.length);
});
