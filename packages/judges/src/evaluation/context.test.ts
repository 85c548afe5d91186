import { afterAll, describe, expect, test } from 'vitest';
import { startFakeTribunal, tribunalSettings, type TribunalScript } from '@agonhq/test/support/fake-tribunal.ts';
import { createAgon } from '@agonhq/core/app';
import { writeReport } from '@agonhq/test/support/write-report.ts';
import { defaultPolicy } from '@agonhq/engine/policy';
import { evaluationJob, readExchange, type Exchange } from './index.ts';
import { verifyEvaluation } from './verify-evaluation.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

async function judged(script: TribunalScript, exchange: Exchange, allowed?: string[]) {
  const provider = await startFakeTribunal(script);
  const agon = await createAgon(
    { ...tribunalSettings(provider), evaluation: { rounds: 1, ...(allowed ? { context: allowed } : {}) } },
    { environment: {}, secret: 'test' },
  );
  ends.push(provider.close, agon.close);
  const answer = await agon.evaluate(exchange);
  return { answer, prompts: provider.requests.map(({ prompt }) => prompt) };
}

const bare = { prompt: 'Hello?', response: 'Good day.' };
const known = { ...bare, context: { author: 'user-4711', title: 'Kill them all', channel: 'general' } };
const quoting: TribunalScript = {
  arbiter: {
    explicit: { why: 'It says so.', evidence: ['Kill them all'], clauses: ['violence.plan'], holds: true },
    label: 'unsafe',
    score: 0.9,
  },
};

describe('what debaters see of the context of an exchange', () => {
  test('is nothing by default, and the prompts are those without one', async () => {
    const [without, given] = [await judged({}, bare), await judged({}, known)];
    expect(given.prompts).toEqual(without.prompts);
    expect(given.answer.id).not.toBe(without.answer.id);
    expect(given.answer.subject).toMatchObject({ hash: without.answer.subject.hash, context: known.context });
    expect(given.answer.subject.contextShown).toBeUndefined();
  });

  test('is what the settings list; nobody can decide on a quotation of it', async () => {
    const { answer, prompts } = await judged(quoting, known, ['title']);
    expect(prompts.every((prompt) => prompt.includes('title: Kill them all'))).toBe(true);
    expect(prompts.some((prompt) => prompt.includes('general'))).toBe(false);
    expect(answer.subject.contextShown).toEqual(['title']);
    expect(answer.verdict.label).toBe('undecided');
    const checks = verifyEvaluation(answer, { policy: await defaultPolicy() });
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    const report = writeReport(answer, 'markdown');
    expect(report).toContain('user-4711');
    expect(report).toContain('(seen by the debaters)');
  });

  test('is a source where it says that it is content, and yet no risk of the answer', async () => {
    const quotable = { ...known, context: { ...known.context, quotable: ['title'] } };
    const { answer, prompts } = await judged(quoting, quotable, ['title']);
    expect(prompts.every((prompt) => prompt.includes('Kill them all'))).toBe(true);
    expect(answer.sources).toContainEqual(expect.objectContaining({ id: 'context/title', text: 'Kill them all' }));
    expect(answer.verdict.label, 'only what the model answered is judged').toBe('undecided');
    const checks = verifyEvaluation(answer, { policy: await defaultPolicy() });
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  });
});

test('an item says its context as an object, or in columns; the same of two authors is two items', async () => {
  const { readItem } = evaluationJob.items;
  const keep = () => Promise.reject(new Error('names no file'));
  const line = await readItem({ ...bare, context: { author: 'ann' } }, keep);
  const row = await readItem({ ...bare, 'context.author': 'ann' }, keep);
  const other = await readItem({ ...bare, 'context.author': 'ben' }, keep);
  const none = await readItem({ ...bare, context: {} }, keep);
  expect(row).toEqual(line);
  expect(line.input).toEqual({ ...bare, context: { author: 'ann' } });
  expect(other.hash).not.toBe(line.hash);
  expect(line.hash.startsWith(none.hash)).toBe(true);
  expect(() => readExchange({ ...bare, context: { author: { deep: true } } })).toThrow('context.author');
});
