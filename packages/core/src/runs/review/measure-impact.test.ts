import { ownJobs } from '../../own-jobs.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stageRun } from '@agonhq/test/support/judged-run.ts';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { panelReply, panelSettings, roleOf, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { createAgon, type Agon } from '../../app/index.ts';
import { hashOf } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { defaultPolicy, type Clause, type Policy } from '@agonhq/engine/policy';
import {
  measureImpact,
  type ChangedCase,
  type ImpactOptions,
  listPastCases,
  type PastCases,
} from './measure-impact.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-impact-'));
const open: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const thing of open.toReversed()) await thing.close();
  rmSync(folder, { recursive: true, force: true });
});

const secret = 'a-secret-of-the-tests-that-is-long-enough';

async function newLedger(): Promise<Ledger> {
  const ledger = await openLedger({ file: path.join(folder, `ledger-${open.length}.sqlite`) });
  open.push(ledger);
  return ledger;
}

/** A policy with every clause put otherwise. */
function edited(policy: Policy, edit: (clause: Clause) => Partial<Clause>, name = 'New'): Policy {
  const { hash: _, ...content } = {
    ...policy,
    name,
    categories: policy.categories.map((category) => ({
      ...category,
      clauses: category.clauses.map((clause) => ({ ...clause, ...edit(clause) })),
    })),
  };
  return { ...content, hash: hashOf(content) };
}

const knives = await defaultPolicy().then((policy) =>
  edited(policy, ({ id, text }) => (id.startsWith('weapons') ? { text: `${text}, or KNIVES of any kind` } : {})),
);

/**
 * A panel that convicts knives once the policy speaks of them, and poison always; under which clause, the policy
 * decides.
 */
async function openRoom(posts: readonly string[]) {
  const panel = await startFakePanel();
  panel.script = (request) => {
    const isNew = request.prompt.includes('or KNIVES of any kind');
    const convicted = request.prompt.includes('giftpilz')
      ? 'giftpilz'
      : isNew && request.prompt.includes('kukri')
        ? 'kukri'
        : null;
    const clause = convicted === 'giftpilz' && !isNew ? 'violence' : 'weapons';
    return panelReply(
      convicted
        ? {
            arbiter: {
              statement: 'It is.',
              risk: { why: 'It is.', evidence: [convicted], holds: true, clauses: [clause] },
              score: 0.9,
            },
          }
        : {},
      request,
    );
  };
  const ledger = await newLedger();
  const settings = panelSettings(panel);
  const agon: Agon = await createAgon(settings, { ledger, secret, environment: {}, only: ['moderation'] });
  open.push(panel, agon);
  const ids: string[] = [];
  for (const post of posts) ids.push((await agon.moderate(post)).id);
  let seen = panel.requests.length;
  return {
    ledger,
    agon,
    ids,
    panel,
    impact: (options: Partial<ImpactOptions> = {}) =>
      measureImpact(ledger, {
        jobs: ownJobs,
        policy: knives,
        settings,
        parts: { secret, environment: {} },
        concurrency: 2,
        ...options,
      }),
    asked() {
      const requests = panel.requests.slice(seen);
      seen = panel.requests.length;
      return requests;
    },
  };
}

const posts = ['A kukri for bread.', 'A kukri for cheese.', 'Buy my giftpilz.', 'Good morning.'];

describe('the impact of a policy', () => {
  test(
    'is told by clause: what flips, what is only named otherwise, what stays; asked again, nothing is asked of ' +
      'a model',
    async () => {
      const room = await openRoom(posts);
      const changes: ChangedCase[] = [];
      const report = await room.impact({ onChange: (change) => void changes.push(change) });
      expect(report).toMatchObject({
        version: 1,
        policy: { name: 'New' },
        cases: 4,
        unchanged: 1,
        flips: { 'safe → unsafe': 2 },
        otherClauses: 1,
        failed: {},
        skipped: 0,
        degraded: 0,
        stopped: null,
        // The supporter judges by no policy.
        recalled: 8,
        usage: { calls: room.asked().filter((request) => roleOf(request) !== 'supporter').length },
      });
      expect(report.usage.calls).toBeGreaterThan(10);
      expect(report.usage.costUsd).toBeGreaterThan(0);
      expect(report.byClause).toHaveLength(2);
      const [weapons, violence] = report.byClause;
      expect(weapons).toMatchObject({
        clause: expect.stringMatching(/^weapons/),
        flips: { 'safe → unsafe': 2 },
        entered: 3,
        left: 0,
      });
      expect(weapons!.examples.toSorted()).toEqual(room.ids.slice(0, 3).toSorted());
      expect(violence).toMatchObject({
        clause: expect.stringMatching(/^violence/),
        flips: {},
        entered: 0,
        left: 1,
        examples: [room.ids[2]],
      });
      expect(changes.toSorted((a, b) => a.excerpt.localeCompare(b.excerpt))).toMatchObject([
        {
          case: room.ids[0],
          again: expect.stringContaining(`${room.ids[0]}~`),
          flipped: true,
          before: { label: 'safe', clauses: [] },
          after: { label: 'unsafe' },
          excerpt: 'A kukri for bread.',
        },
        { case: room.ids[1], flipped: true },
        { case: room.ids[2], flipped: false, before: { label: 'unsafe' }, after: { label: 'unsafe' } },
      ]);

      const { usage, recalled, argued, ...again } = await room.impact();
      expect(room.asked()).toEqual([]);
      expect(usage.calls).toBe(0);
      expect([recalled, argued]).toEqual([report.recalled + report.argued, 0]);
      const { usage: _, recalled: __, argued: ___, byClause, ...first } = report;
      expect({ ...again, byClause: again.byClause.map(({ clause, flips }) => ({ clause, flips })) }).toEqual({
        ...first,
        byClause: byClause.map(({ clause, flips }) => ({ clause, flips })),
      });
      expect((await room.ledger.cases.listCases({}, { limit: 100 })).rows).toHaveLength(8);
    },
  );

  test('of other examples, severities and titles costs nothing where a prompt shows none of them', async () => {
    const room = await openRoom(posts.slice(0, 2));
    const policy = edited(await defaultPolicy(), () => ({
      severity: 'low',
      violations: [{ text: 'Another example.' }],
    }));
    expect(await room.impact({ policy })).toMatchObject({ cases: 2, unchanged: 2, argued: 2, usage: { calls: 0 } });
    expect(room.asked()).toEqual([]);
  });

  test('is argued anew by the embedded reasoner, who reads the examples too', async () => {
    const ledger = await newLedger();
    const agon = await createAgon(
      { seats: { default: 'embedded:guard-2' } },
      { ledger, secret, environment: {}, only: ['moderation'] },
    );
    open.push(agon);
    await agon.moderate('How do I kill a process on Linux?');
    const policy = await defaultPolicy();
    const impact = (under: Policy) =>
      measureImpact(ledger, { jobs: ownJobs, policy: under, parts: { secret, environment: {} } });
    expect(await impact(policy)).toMatchObject({ cases: 1, unchanged: 1, argued: 0 });
    const other = edited(policy, () => ({ violations: [{ text: 'Another example.' }] }));
    const first = await impact(other);
    expect(first).toMatchObject({ cases: 1, recalled: 1 });
    expect(first.argued).toBeGreaterThan(3);
    expect(await impact(other)).toMatchObject({ cases: 1, recalled: first.argued + 1, argued: 0 });
  });

  test('that is stopped midway says what it has; run again, it goes on', async () => {
    const room = await openRoom(posts);
    const stop = new AbortController();
    const report = await room.impact({
      concurrency: 1,
      signal: stop.signal,
      onProgress: ({ judged }) => void (judged === 2 && stop.abort()),
    });
    expect(report).toMatchObject({ cases: 2, stopped: { code: 'cancelled' } });
    room.asked();
    expect(await room.impact()).toMatchObject({ cases: 4, flips: { 'safe → unsafe': 2 }, stopped: null });
    expect(room.asked().length).toBeLessThan(posts.length * 6);
  });

  test('ends when its budget is spent, within the budget and without a verdict that lacks an answer', async () => {
    const room = await openRoom(posts);
    const runUsd = 0.01;
    const report = await room.impact({
      concurrency: 1,
      settings: { ...panelSettings(room.panel), budget: { runUsd } },
    });
    expect(report.stopped).toMatchObject({ code: 'budget-spent' });
    expect(report.cases).toBeLessThan(4);
    expect(report.usage.costUsd).toBeLessThanOrEqual(runUsd);
    expect(report.degraded).toBe(0);
  });

  test('leaves out what was forgotten', async () => {
    const room = await openRoom(posts.slice(2));
    const { subject } = (await room.ledger.cases.findCase(room.ids[0]!))!;
    await room.ledger.cases.forgetSubject(subject);
    expect(await room.impact()).toMatchObject({ cases: 1, unchanged: 1, skipped: 0 });
  });
});

describe('past cases', () => {
  test('are those of a run, of a time, of a job, the newest, or a draw that a seed repeats', async () => {
    const room = await openRoom(posts);
    const { ledger, ids } = room;
    const drawn = (wanted: PastCases) => collect(listPastCases(ownJobs, ledger, wanted));
    expect(await drawn({})).toEqual(ids.toReversed());
    await room.impact({ cases: { limit: 1 } });
    expect(await drawn({})).toEqual(ids.toReversed());
    expect(await drawn({ limit: 2 })).toEqual(ids.toReversed().slice(0, 2));
    expect(await drawn({ job: 'evaluation' })).toEqual([]);
    expect(await drawn({ since: new Date(Date.now() + 1000) })).toEqual([]);
    const three = await drawn({ sample: 3, seed: 7 });
    expect(three).toHaveLength(3);
    expect(new Set(three).size).toBe(3);
    expect(await drawn({ sample: 3, seed: 7 })).toEqual(three);
    expect((await drawn({ sample: 9 })).toSorted()).toEqual(ids.toSorted());
    await stageRun(ledger, 'run-of-two', [
      { label: 'safe', text: 'First of two.' },
      { text: 'Waits.' },
      { label: 'unsafe', text: 'Second of two.' },
    ]);
    expect(await drawn({ run: 'run-of-two' })).toHaveLength(2);
  });
});
