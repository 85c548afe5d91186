import { setTimeout as pause } from 'node:timers/promises';
import { ownJobs } from '../../own-jobs.ts';
import { describe, expect, test } from 'vitest';
import { json, status } from '@agonhq/test/fake-provider/index.ts';
import { until } from '@agonhq/test/support/until.ts';
import { openRunStage, textItem, textItems } from '@agonhq/test/support/run-stage.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { NewDecision } from '@agonhq/ledger';
import type { RunProgress } from './run-meter.ts';
import { readRunPlan } from './run-plan.ts';

const callsOfADebate = 3;

describe('a run', () => {
  test('judges every item once, the same content once for all, and a broken line not at all', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const broken = {
      position: 4,
      key: 'item-4',
      hash: 'line-4',
      input: null,
      error: { code: 'broken-line', message: 'The line is not JSON.', hint: 'Mend it.' },
    };
    const progress: RunProgress[] = [];
    const counts = await stage.conduct(
      run,
      [textItem(1), textItem(2), textItem(3, 'A short note, number 1.'), broken],
      { onProgress: (now) => void progress.push(now) },
    );
    expect(counts).toMatchObject({
      done: 2,
      same: 1,
      failed: 1,
      waiting: 0,
      running: 0,
      byLabel: { safe: 2 },
      failuresByCode: { 'broken-line': 1 },
      usage: { calls: 6 },
    });
    expect(stage.panel.requests).toHaveLength(2 * callsOfADebate);
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({ state: 'finished', total: 4, problem: null });
    expect(progress.at(-1)).toMatchObject({ read: 4, total: 4, done: 2, failed: 1, same: 1, waiting: 0, running: 0 });
    const [first] = await stage.ledger.runs.listItems(run.id, { order: 'input', limit: 10 });
    expect(await stage.ledger.cases.findCase(first!.result!.case)).toMatchObject({ run: run.id, label: 'safe' });
  });

  test('that is stopped gives back what it has in hand, and a resume calls nothing for what is done', async () => {
    await using stage = await openRunStage({ latencyMs: 20 });
    const run = await stage.newRun();
    const stop = new AbortController();
    let inFlight = 0;
    await expect(
      stage.conduct(run, textItems(40), {
        signal: stop.signal,
        concurrency: 4,
        onItem() {
          if (stage.panel.requests.length <= 30 || stop.signal.aborted) return;
          inFlight = stage.panel.inFlight;
          stop.abort();
        },
      }),
    ).rejects.toMatchObject({ code: 'cancelled', hints: { cli: expect.stringContaining(run.id) } });
    const halfway = await stage.ledger.runs.countItems(run.id);
    expect(halfway.running).toBe(0);
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({ state: 'stopped', problem: null });

    await stage.ledger.runs.reopenRun(run.id);
    const asked = stage.panel.requests.length;
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, textItems(40))).toMatchObject({
      done: 40,
      waiting: 0,
    });
    expect(stage.panel.requests.length - asked).toBeLessThanOrEqual((40 - halfway.done) * callsOfADebate);
    expect(stage.panel.requests.length).toBeLessThanOrEqual(40 * callsOfADebate + inFlight);
  });

  test('does not go on with an input that was changed', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    await stage.ledger.runs.putItems(run.id, textItems(2));
    await expect(stage.conduct(run, [textItem(1), textItem(2, 'Something else.')])).rejects.toMatchObject({
      code: 'changed-input',
    });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('line 2'),
    });
  });

  test('never spends more than its budget, stops when it is spent, and goes on with more', async () => {
    await using stage = await openRunStage();
    // A debate of the panel is billed some 3,000 tokens; the worst case of a call is more.
    const run = await stage.newRun({ budget: { runTokens: 40_000 } });
    await expect(stage.conduct(run, textItems(60))).rejects.toMatchObject({ code: 'budget-spent' });
    const spent = stage.panel.requests.length;
    expect(spent).toBeGreaterThan(callsOfADebate);
    expect((await stage.ledger.runs.readCommitted(run.id)).tokens).toBeLessThanOrEqual(40_000);
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({
      state: 'stopped',
      problem: expect.stringContaining('budget'),
    });
    // No verdict stands that lacks an answer for want of money.
    const { done, usage, escalated } = await stage.ledger.runs.countItems(run.id);
    expect({ calls: usage.calls, escalated }).toEqual({ calls: done * callsOfADebate, escalated: 0 });

    await stage.ledger.runs.reopenRun(run.id);
    await expect(stage.conduct((await stage.ledger.runs.findRun(run.id))!, null)).rejects.toMatchObject({
      code: 'budget-spent',
    });
    expect((await stage.ledger.runs.readCommitted(run.id)).tokens).toBeLessThanOrEqual(40_000);

    const plan = (await stage.ledger.runs.findRun(run.id))!.settings as { settings: { budget: object } };
    await stage.ledger.runs.changePlan(run.id, {
      ...plan,
      settings: { ...plan.settings, budget: { runTokens: 4_000_000 } },
    });
    await stage.ledger.runs.reopenRun(run.id);
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, textItems(60))).toMatchObject({ done: 60 });
  });

  test('tries an item again when no model could be reached, and sets it aside in the end', async () => {
    await using stage = await openRunStage();
    stage.panel.script = () => status(503);
    const run = await stage.newRun({}, 2);
    const counts = await stage.conduct(run, [textItem(1)]);
    expect(counts).toMatchObject({ done: 0, failed: 1, failuresByCode: { 'nobody-heard': 1 } });
    expect(stage.panel.requests.length).toBe(2 * callsOfADebate);
    expect(await stage.ledger.runs.retryFailedItems(run.id, 'broken-line')).toBe(0);
    expect(await stage.ledger.runs.retryFailedItems(run.id, 'nobody-heard')).toBe(1);
    await stage.ledger.runs.reopenRun(run.id);
    stage.panel.script = () =>
      json({ statement: 'Harmless.', concession: null, evidence: [], clauses: [], score: 0.1 });
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, null)).toMatchObject({ done: 1, failed: 0 });
  });

  test('has no verdict on record for what an outage hit midway, and judges it once the provider is back', async () => {
    await using stage = await openRunStage();
    const answers = stage.panel.script;
    const run = await stage.newRun({}, 1);
    const goesOff = new Set(
      textItems(6)
        .map(({ input }) => (input as { text: string }).text)
        .slice(3),
    );
    stage.panel.script = (request) =>
      [...goesOff].some((text) => request.prompt.includes(text)) ? status(503) : answers(request);
    const counts = await stage.conduct(run, textItems(6));
    expect(counts).toMatchObject({ done: 3, failed: 3, byLabel: { safe: 3 }, failuresByCode: { 'nobody-heard': 3 } });
    const hit = await stage.ledger.cases.listCases({ finished: false });
    expect(hit.rows).toHaveLength(3);
    expect(hit.rows[0]).toMatchObject({ state: 'interrupted', label: null, problem: { code: 'nobody-heard' } });
    expect((await stage.ledger.cases.listCases({ label: 'undecided' })).rows).toEqual([]);

    stage.panel.script = answers;
    expect(await stage.ledger.runs.retryFailedItems(run.id, 'nobody-heard')).toBe(3);
    await stage.ledger.runs.reopenRun(run.id);
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, null)).toMatchObject({
      done: 6,
      failed: 0,
      byLabel: { safe: 6 },
    });
    expect((await stage.ledger.cases.listCases({ finished: false })).rows).toEqual([]);
  });

  test('is stopped when no model can be reached for item after item, and goes on when one can', async () => {
    await using stage = await openRunStage();
    const answers = stage.panel.script;
    stage.panel.script = () => status(503);
    const run = await stage.newRun();
    await expect(stage.conduct(run, textItems(200))).rejects.toMatchObject({ code: 'models-away' });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({
      state: 'stopped',
      problem: expect.stringContaining('models-away'),
    });
    expect(await stage.ledger.runs.countItems(run.id)).toMatchObject({ failed: 0, done: 0, running: 0 });
    stage.panel.script = answers;
    await stage.ledger.runs.reopenRun(run.id);
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, textItems(200))).toMatchObject({
      done: 200,
      failed: 0,
    });
  });

  test('ends with a mistake that only a person can put right', async () => {
    await using stage = await openRunStage();
    stage.panel.script = () => status(401);
    const run = await stage.newRun();
    await expect(stage.conduct(run, textItems(20))).rejects.toMatchObject({ code: 'wrong-key' });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('wrong-key'),
    });
    expect(await stage.ledger.runs.countItems(run.id)).toMatchObject({ running: 0, failed: 0 });
  });

  test('that is drained judges what it has in hand to its end, and a resume calls nothing for that', async () => {
    await using stage = await openRunStage({ latencyMs: 500 });
    const run = await stage.newRun({ moderation: { method: 'judge' } });
    const drain = new AbortController();
    const conducted = stage.conduct(run, textItems(12), { concurrency: 3, drain: drain.signal });
    await until(() => stage.panel.requests.length >= 3);
    drain.abort();
    await expect(conducted).rejects.toMatchObject({ code: 'cancelled' });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({ state: 'stopped', problem: null });
    const { done, running, failed } = await stage.ledger.runs.countItems(run.id);
    expect({ running, failed }).toEqual({ running: 0, failed: 0 });
    expect(done).toBeLessThan(12);
    expect(stage.panel.requests).toHaveLength(done);
    await stage.ledger.runs.reopenRun(run.id);
    expect(await stage.conduct(run, textItems(12))).toMatchObject({ done: 12 });
    expect(stage.panel.requests).toHaveLength(12);
  });

  test('that was stopped and resumed elsewhere while it ended here is left to whoever resumed it', async () => {
    await using stage = await openRunStage({ latencyMs: 4_000 });
    const defaults = { retries: 0, timeoutMs: 20_000 };
    const run = await stage.newRun({ moderation: { method: 'judge' }, defaults });
    const conducted = stage.conduct(run, textItems(12), { concurrency: 3 });
    conducted.catch(() => undefined);
    await until(() => stage.panel.requests.length >= 3);
    await stage.ledger.runs.endRun(run.id, 'stopped', 'Somebody wanted to have a look.');
    // Long enough for it to be noticed, and less than a model takes.
    await pause(2_000);
    await stage.ledger.runs.reopenRun(run.id);
    await expect(conducted).rejects.toMatchObject({ code: 'cancelled' });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({ state: 'running', problem: null });
    expect(await stage.ledger.runs.countItems(run.id)).toMatchObject({ done: 3, waiting: 9, running: 0 });
  });

  test('that is cancelled from elsewhere drops what it has in hand', async () => {
    await using stage = await openRunStage({ latencyMs: 200 });
    const run = await stage.newRun();
    const conducting = stage.conduct(run, textItems(200), { concurrency: 2 });
    setTimeout(() => void stage.ledger.runs.endRun(run.id, 'cancelled'), 300);
    await expect(conducting).rejects.toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('cancelled'),
    });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({ state: 'cancelled' });
    expect(await stage.ledger.runs.countItems(run.id)).toMatchObject({ running: 0 });
  });

  test('ends with what goes wrong after an item was judged, and the item keeps its result', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const full = new AgonError('cannot-write', 'The disk is full.', 'Make room.');
    await expect(stage.conduct(run, [textItem(1)], { onItem: () => Promise.reject(full) })).rejects.toBe(full);
    expect(await stage.ledger.runs.countItems(run.id)).toMatchObject({ done: 1, failed: 0, waiting: 0, running: 0 });
    expect(await stage.ledger.runs.findRun(run.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('cannot-write'),
    });
  });

  test('has the label that an item came with on record when its result stands, whatever fails in between', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const { decisions } = stage.ledger;
    let failures = 1;
    const ledger = {
      ...stage.ledger,
      decisions: {
        ...decisions,
        record: (decision: NewDecision) =>
          failures-- > 0 ? Promise.reject(new Error('cut off')) : decisions.recordDecision(decision),
      },
    };
    expect(await stage.conduct(run, [{ ...textItem(1), expected: 'unsafe' }], { ledger })).toMatchObject({
      done: 1,
      failed: 0,
      expected: { wrong: 1 },
    });
    const [item] = await stage.ledger.runs.listItems(run.id, { order: 'input', limit: 1 });
    expect(await decisions.listDecisions(item!.result!.case)).toMatchObject([{ label: 'unsafe', by: 'dataset:items' }]);
    expect(stage.panel.requests).toHaveLength(callsOfADebate);
  });

  test('is not gone on with by an Agon that would judge by other rules', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const plan = run.settings as object;
    await stage.ledger.runs.changePlan(run.id, { ...plan, setup: 'sha256:something else' });
    await expect(stage.conduct((await stage.ledger.runs.findRun(run.id))!, textItems(2))).rejects.toMatchObject({
      code: 'other-configuration',
    });
    expect(stage.panel.requests).toEqual([]);
  });

  test('sends nothing where its row says: providers, keys and files are those of this machine', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const plan = run.settings as { settings: object };
    const elsewhere = {
      providers: { fake: { baseUrl: 'http://127.0.0.1:9/v1' } },
      telemetry: { content: true },
      cache: { directory: '/nowhere/cache' },
      calibration: '/nowhere/calibration.json',
      policy: '/nowhere/policy.yaml',
    };
    await stage.ledger.runs.changePlan(run.id, {
      ...plan,
      calibration: undefined,
      settings: { ...plan.settings, ...elsewhere },
    });
    const changed = (await stage.ledger.runs.findRun(run.id))!;
    expect(await stage.conduct(changed, [textItem(1)])).toMatchObject({ done: 1, failed: 0 });
    expect(stage.panel.requests).toHaveLength(callsOfADebate);
    expect(Object.keys(readRunPlan(ownJobs, changed).settings)).not.toContain('providers');
  });

  test('carries no key and no provider in its row', async () => {
    await using stage = await openRunStage(
      {},
      { providers: { fake: { apiKey: 'sk-do-not-store', headers: { authorization: 'Bearer do-not-store' } } } },
    );
    const run = await stage.newRun();
    expect(JSON.stringify(run)).not.toContain('do-not-store');
    expect(JSON.stringify(run)).not.toContain(stage.panel.url);
  });
});
