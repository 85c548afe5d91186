import { moderationJob } from '@agonhq/judges/moderation';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startFakeTribunal, tribunalSettings } from './support/fake-tribunal.ts';
import { precedentOf } from './support/ledger-cases.ts';
import { scriptedReasoner } from './support/scripted.ts';
import { createAgon } from '@agonhq/core/app';
import { evaluate } from '@agonhq/core';
import { findLedgerPlace, openLedger } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';

const tribunal = await startFakeTribunal();
afterAll(() => tribunal.close());

const { seats: _seats, ...provider } = tribunalSettings(tribunal);
const bare = { environment: {}, secret: 'test' };
const exchange = { prompt: 'How are you?', response: 'Fine.' };
const evaluationSeats = { auditor: 'fake:a', detector: 'fake:b', critic: 'fake:c', arbiter: 'fake:d' };

test('one Agon does every job, and each says what made its answers', async () => {
  const agon = await createAgon({ ...provider, seats: { default: 'fake:tribunal' } }, bare);
  const answer = await agon.evaluate(exchange);
  expect(answer).toMatchObject({ job: 'evaluation', verdict: { label: 'safe', concept: 'none' }, usage: { calls: 4 } });
  expect(answer.provenance).toEqual(agon.provenanceOf(evaluationJob));
  expect(agon.provenanceOf(moderationJob).models).toMatchObject({ supporter: 'fake:tribunal' });
  expect(agon.spent().calls).toBe(4);
});

test('the stream of an evaluation begins with the case and ends with the answer', async () => {
  const agon = await createAgon({ ...provider, seats: evaluationSeats, evaluation: { rounds: 1 } }, bare);
  const trial = agon.judge(evaluationJob, exchange);
  const events: string[] = [];
  let next = await trial.next();
  for (; !next.done; next = await trial.next()) events.push(next.value.type);
  expect(events[0]).toBe('case-ready');
  expect(events.at(-1)).toBe('debate-end');
  expect(next.value.verdict.label).toBe('safe');
});

test('settings that seat one job are enough for it; the other says what it lacks when it is asked for', async () => {
  const agon = await createAgon({ ...provider, seats: evaluationSeats }, bare);
  expect((await agon.evaluate(exchange)).verdict.label).toBe('safe');
  await expect(agon.moderate('x')).rejects.toMatchObject({
    code: 'no-reasoner',
    message: 'No model is set for the seat supporter.',
  });
  expect(() => agon.provenanceOf(moderationJob)).toThrow('supporter');
});

test('a program has what the command line learnt where it asks for the ledger, and otherwise nothing of it', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'agon-home-'));
  const environment = { AGON_HOME: home };
  const learnt = precedentOf('learnt-1', { text: 'This government is a bunch of clowns.', label: 'safe' });
  const ledger = await openLedger(findLedgerPlace(environment));
  await ledger.precedents.keepPrecedents([learnt]);
  await ledger.close();
  const judge = async (settings: Settings) => {
    const agon = await createAgon(settings, { ...bare, environment, only: ['moderation'] });
    try {
      return await agon.moderate('This council is a bunch of clowns.');
    } finally {
      await agon.close();
    }
  };
  expect((await judge({})).precedents.map(({ id }) => id)).not.toContain('learnt-1');
  const answer = await judge({ ledger: true });
  expect(answer.precedents.map(({ id }) => id)).toContain('learnt-1');
  const after = await openLedger(findLedgerPlace(environment));
  expect(await after.cases.listCases({})).toMatchObject({ rows: [{ id: answer.id }] });
  await after.close();
  rmSync(home, { recursive: true });
});

test('what every job lacks is said at once', async () => {
  await expect(createAgon({ seats: { default: 'openai:gpt-4o' } }, bare)).rejects.toMatchObject({
    code: 'missing-key',
  });
});

test('what the job it is made for lacks is said at once, and no other job is done', async () => {
  await expect(
    createAgon({ ...provider, seats: { arbiter: 'fake:d' } }, { ...bare, only: ['evaluation'] }),
  ).rejects.toMatchObject({ message: 'No model is set for the seat auditor.' });
  const agon = await createAgon({ ...provider, seats: { default: 'fake:d' } }, { ...bare, only: ['evaluation'] });
  await expect(agon.moderate('x')).rejects.toMatchObject({ code: 'other-job' });
});

test('a method asks for the seats it has and no others', async () => {
  const methods = {
    judge: { judge: 'fake:j' },
    vote: evaluationSeats,
    'prefix-match': {},
    'pattern-match': {},
  } as const;
  for (const [method, seats] of Object.entries(methods)) {
    const agon = await createAgon(
      {
        ...provider,
        seats: { preprocessor: 'fake:p', ...seats },
        evaluation: { method: method as keyof typeof methods },
      },
      { ...bare, only: ['evaluation'] },
    );
    expect((await agon.evaluate(exchange)).provenance.plan.method).toBe(method);
  }
});

test("the defaults are RADAR's, and its preset argues all rounds", async () => {
  const planOf = async (evaluation: object) =>
    (await createAgon({ ...provider, seats: { default: 'fake:d' }, evaluation }, bare)).provenanceOf(evaluationJob)
      .plan;
  expect(await planOf({})).toEqual({
    method: 'debate',
    rounds: 3,
    agents: 1,
    consensus: true,
    stubbornness: { auditor: 0.5, detector: 0.5 },
    consensusBound: 0.05,
    smoothing: 0.001,
    delta: 0.5,
    gamma: 0.1,
  });
  expect(await planOf({ preset: 'paper', stubbornness: { detector: 1 } })).toMatchObject({
    consensus: false,
    stubbornness: { auditor: 0.5, detector: 1 },
  });
});

test('as many seats as models are named, unless their number is set', async () => {
  const modelsOf = async (evaluation: object) =>
    (
      await createAgon({ ...provider, seats: { default: 'fake:d', auditor: ['fake:1', 'fake:2'] }, evaluation }, bare)
    ).provenanceOf(evaluationJob).models;
  expect(await modelsOf({})).toEqual({
    'auditor#1': 'fake:1',
    'auditor#2': 'fake:2',
    'detector#1': 'fake:d',
    'detector#2': 'fake:d',
    critic: 'fake:d',
    arbiter: 'fake:d',
  });
  expect(await modelsOf({ agents: 1 })).toEqual({
    auditor: 'fake:1',
    detector: 'fake:d',
    critic: 'fake:d',
    arbiter: 'fake:d',
  });
});

test("a reasoner of the caller's own fills its seat, or all seats of its role", async () => {
  const own = scriptedReasoner();
  const reasoners = { critic: own, auditor: own };
  const agon = await createAgon(
    { ...provider, seats: { default: 'fake:d' }, evaluation: { agents: 2 } },
    { ...bare, reasoners },
  );
  expect(agon.provenanceOf(evaluationJob).models).toMatchObject({
    'auditor#1': 'test:scripted',
    'auditor#2': 'test:scripted',
    critic: 'test:scripted',
    arbiter: 'fake:d',
  });
});

test('evaluate() judges one exchange and tidies up', async () => {
  const answer = await evaluate(exchange, { settings: { ...provider, seats: evaluationSeats }, parts: bare });
  expect(answer.verdict).toMatchObject({ label: 'safe', behaviour: 'complied' });
});

test('a seat of the evaluated model’s own family is warned about', async () => {
  const settings = { ...provider, seats: { ...evaluationSeats, detector: 'fake:gpt-5' } };
  const { warnings } = await evaluate({ ...exchange, model: 'openai:o3' }, { settings, parts: bare });
  expect(warnings).toMatchObject([{ kind: 'same-family', seat: 'detector' }]);
});
