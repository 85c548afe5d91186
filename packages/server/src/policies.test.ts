import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { panelReply, panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { heardEvents, type HeardEvent } from '@agonhq/test/support/heard-events.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from './api/index.ts';
import { defaultPolicy, parsePolicy, writePolicy } from '@agonhq/engine/policy';

const rules = `# Ours
name: House rules
version: 1
categories:
  - id: fraud
    title: Fraud
    clauses:
      - id: fraud.scam
        text: No scams.
        severity: high
        violations: [ Send me your PIN ]
        exonerations: [ How do I recognise a scam? ]
`;
const streaming = { accept: 'text/event-stream' };

let server: ServerUnderTest;
afterEach(() => server[Symbol.asyncDispose]());

const put = (yaml: string) => said(server.call('/api/policies', { json: { yaml } }), schemas.policy, 201);
const rows = async () => schemas.policyPage.parse(await (await server.call('/api/policies')).json()).rows;

describe('policies over HTTP', () => {
  beforeEach(async () => {
    server = await runningServer();
  });

  test('the one in force is listed before it has judged anything, and counts its cases', async () => {
    const { hash, name } = await defaultPolicy();
    expect(await rows()).toMatchObject([{ hash, name, active: true, cases: 0, keptAt: expect.any(String) }]);
    await server.call('/api/jobs/moderation/cases', { json: { text: 'A recipe for bread.' } });
    expect(await rows()).toMatchObject([{ hash, active: true, cases: 1 }]);
  });

  test('a file is put on record without being in force, and is given back as JSON and as a file that says the same', async () => {
    const { hash } = await put(rules);
    expect(hash).toBe(parsePolicy(rules, 'rules.yaml').hash);
    expect(await rows()).toMatchObject([
      { active: true },
      { hash, name: 'House rules', version: '1', active: false, cases: 0 },
    ]);
    expect(await said(server.call(`/api/policies/${hash.slice('sha256:'.length, 19)}`), schemas.policy)).toEqual(
      parsePolicy(rules, 'rules.yaml'),
    );
    const file = await server.call(`/api/policies/${hash}?format=yaml`);
    expect(file.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(parsePolicy(await file.text(), 'again.yaml').hash).toBe(hash);
    await put(rules);
    expect(await rows()).toHaveLength(2);
  });

  test('a broken file is refused with everything that is wrong with it, line by line', async () => {
    const problem = await said(
      server.call('/api/policies', {
        json: { yaml: rules.replace('severity: high', 'severty: high').replace('id: fraud\n', 'id: Fraud\n') },
      }),
      schemas.problem,
      422,
    );
    expect(problem).toMatchObject({
      code: 'broken-policy',
      hint: expect.stringContaining('Correct'),
      issues: [
        { line: 5, column: 9, reason: expect.stringContaining('kebab-case') },
        { line: 8, column: 9, reason: '"severity" is missing here' },
        { line: 10, column: 9, reason: expect.stringContaining('did you mean "severity"?') },
      ],
    });
    expect(await rows()).toHaveLength(1);
    expect(await said(server.call('/api/policies', { json: { yaml: '[' } }), schemas.problem, 422)).toMatchObject({
      code: 'broken-policy',
      issues: [{ line: 1 }],
    });
  });

  test('two are compared clause by clause', async () => {
    const [one, other] = [
      await put(rules),
      await put(rules.replace('severity: high', 'severity: critical').replace('version: 1', 'version: 2')),
    ];
    expect(await said(server.call(`/api/policies/${one.hash}/diff/${other.hash}`), schemas.policyDifference)).toEqual({
      from: { hash: one.hash, name: 'House rules', version: '1' },
      to: { hash: other.hash, name: 'House rules', version: '2' },
      changes: [
        { at: 'policy', kind: 'changed', what: 'version', before: '1', after: '2' },
        { at: 'fraud.scam', kind: 'changed', what: 'severity', before: 'high', after: 'critical' },
      ],
    });
    expect(await said(server.call(`/api/policies/active/diff/${one.hash}`), schemas.policyDifference)).toMatchObject({
      to: { hash: one.hash },
      changes: expect.arrayContaining([expect.objectContaining({ at: 'weapons', kind: 'removed', what: 'category' })]),
    });
  });

  test('what is not on record is not found', async () => {
    for (const place of [
      '/api/policies/nothing',
      '/api/policies/sha256:0000000000000000',
      '/api/policies/active/diff/sha256:0000000000000000',
    ]) {
      expect(await said(server.call(place), schemas.problem, 404)).toMatchObject({
        code: 'unknown-policy',
        hint: 'GET /api/policies lists them.',
      });
    }
  });

  test('an activated one judges new cases at once; the ones before keep theirs', async () => {
    const { hash } = await put(rules);
    const before = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: 'A recipe for bread.' } })
    ).json()) as { id: string; provenance: { policy: { name: string } } };
    expect(
      await said(server.call(`/api/policies/${hash}/activation`, { method: 'PUT' }), schemas.policyVersion),
    ).toMatchObject({ hash, active: true, cases: 0 });
    const after = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: 'A recipe for bread.' } })
    ).json()) as typeof before;
    expect([before.provenance.policy.name, after.provenance.policy.name]).toEqual([
      (await defaultPolicy()).name,
      'House rules',
    ]);
    expect(after.id).not.toBe(before.id);
    expect(await rows()).toMatchObject([
      { hash, active: true, cases: 1 },
      { active: false, cases: 1 },
    ]);
    expect(await said(server.call('/api/policies/active'), schemas.policy)).toMatchObject({ hash });
    await said(server.call(`/api/policies/${hash}/activation`, { method: 'PUT' }), schemas.policyVersion);
    const back = await defaultPolicy();
    expect(
      await said(server.call(`/api/policies/${back.hash}/activation`, { method: 'PUT' }), schemas.policyVersion),
    ).toMatchObject({ hash: back.hash, active: true });
  });

  test(
    'what one server activates, another on the same ledger judges by within seconds, and one that starts later ' +
      'from the first',
    async () => {
      const second = await runningServer({}, { ledger: server.ledger });
      try {
        const { hash } = await put(rules);
        await said(server.call(`/api/policies/${hash}/activation`, { method: 'PUT' }), schemas.policyVersion);
        await pause(2_100);
        const judged = (await (
          await second.call('/api/jobs/moderation/cases', { json: { text: 'Bread.' } })
        ).json()) as {
          provenance: { policy: { name: string } };
        };
        expect(judged.provenance.policy.name).toBe('House rules');
      } finally {
        await second[Symbol.asyncDispose]();
      }
      const third = await runningServer({}, { ledger: server.ledger });
      try {
        expect(await (await third.call('/api/self')).json()).toMatchObject({ policy: { name: 'House rules' } });
      } finally {
        await third[Symbol.asyncDispose]();
      }
    },
  );

  test('one is tested on its own examples, off the record', async () => {
    const { hash } = await put(rules);
    const heard: HeardEvent[] = [];
    for await (const event of heardEvents(
      await server.call(`/api/policies/${hash}/test`, { method: 'POST', headers: streaming }),
    ))
      heard.push(event);
    for (const { data } of heard) schemas.progressEvent.parse(data);
    expect(heard.map(({ event }) => event)).toEqual([
      'progress',
      ...heard.slice(1, -1).map(() => 'progress'),
      'report',
    ]);
    expect(heard.at(-2)).toMatchObject({ data: { done: 2, total: 2 } });
    const report = schemas.policyTest.parse(heard.at(-1)!.data['report']);
    expect(report).toMatchObject({ policy: hash, clauses: [{ clause: 'fraud.scam', examples: 2 }] });
    expect(await said(server.call(`/api/policies/${hash}/test`, { method: 'POST' }), schemas.policyTest)).toEqual(
      report,
    );
    expect((await server.ledger.cases.listCases({}, { limit: 10 })).rows).toEqual([]);
  });

  test('an impact of nothing says that nothing would change', async () => {
    expect(await said(server.call('/api/policies/active/impact', { json: {} }), schemas.impactReport)).toMatchObject({
      cases: 0,
      flips: {},
      stopped: null,
    });
    expect(
      await said(server.call('/api/policies/active/impact', { json: { run: 'nowhere' } }), schemas.problem, 404),
    ).toMatchObject({ code: 'unknown-run', detail: 'There is no run nowhere.', hint: 'GET /api/runs lists them.' });
    expect(
      await said(
        server.call('/api/policies/active/impact', { json: { run: 'nowhere', job: 'moderation' } }),
        schemas.problem,
        422,
      ),
    ).toMatchObject({ code: 'two-choices' });
  });
});

test('a policy file in the settings decides: nothing is activated over it', async () => {
  const own = await runningServer();
  const file = path.join(own.home, 'rules.yaml');
  await writeFile(file, rules);
  try {
    server = await runningServer({ policy: file });
    expect(await rows()).toMatchObject([{ name: 'House rules', active: true }]);
    const { hash } = await put(writePolicy(await defaultPolicy()));
    expect(
      await said(server.call(`/api/policies/${hash}/activation`, { method: 'PUT' }), schemas.problem, 409),
    ).toMatchObject({ code: 'policy-in-file', hint: expect.stringContaining('settings') });
    expect(await rows()).toMatchObject([
      { name: 'House rules', active: true },
      { hash, active: false },
    ]);
  } finally {
    await own[Symbol.asyncDispose]();
  }
});

describe('a policy with models', () => {
  /** Condemns what has to do with knives where the policy forbids kitchen knives. */
  async function kitchen(latencyMs?: number) {
    const panel = await startFakePanel();
    panel.script = (request) => {
      const forbidden = request.prompt.includes('kitchen knives') && request.prompt.includes('bread knife');
      return panelReply(
        {
          ...(latencyMs === undefined ? {} : { latencyMs }),
          ...(forbidden
            ? {
                arbiter: {
                  risk: { why: 'It is one.', evidence: ['bread knife'], holds: true, clauses: ['house.knives'] },
                  score: 0.9,
                },
              }
            : {}),
        },
        request,
      );
    };
    server = await runningServer({ ...panelSettings(panel), server: { concurrency: 1, queue: 0, graceSeconds: 1 } });
    return panel;
  }
  const knives = rules
    .replaceAll('fraud', 'house')
    .replace('house.scam', 'house.knives')
    .replace('No scams.', 'Offers of kitchen knives.');

  test('has an impact, which tells how far it is, each case that flips, and then the whole', async () => {
    const panel = await kitchen();
    try {
      for (const text of ['A bread knife for two euros.', 'A recipe for bread.'])
        await server.call('/api/jobs/moderation/cases', { json: { text } });
      const { hash } = await put(knives);
      const heard: HeardEvent[] = [];
      for await (const event of heardEvents(
        await server.call(`/api/policies/${hash}/impact`, { json: { job: 'moderation' }, headers: streaming }),
      ))
        heard.push(event);
      expect(new Set(heard.map(({ event }) => event))).toEqual(new Set(['progress', 'change', 'report']));
      expect(heard.find(({ event }) => event === 'change')!.data).toMatchObject({
        type: 'change',
        flipped: true,
        before: { label: 'safe' },
        after: { label: 'unsafe', clauses: ['house.knives'] },
        excerpt: 'A bread knife for two euros.',
      });
      const report = schemas.impactReport.parse(heard.at(-1)!.data['report']);
      expect(report).toMatchObject({ policy: { hash }, cases: 2, unchanged: 1, flips: { 'safe → unsafe': 1 } });
      expect(
        await said(server.call(`/api/policies/${hash}/impact`, { json: { job: 'moderation' } }), schemas.impactReport),
      ).toMatchObject({ cases: 2, flips: { 'safe → unsafe': 1 }, usage: { calls: 0 } });
    } finally {
      await panel.close();
    }
  });

  test('what is being judged when another is activated ends under the old one', async () => {
    const panel = await kitchen();
    try {
      const { hash } = await put(knives);
      panel.script = (request) => panelReply({ latencyMs: 300 }, request);
      const judging = server.call('/api/jobs/moderation/cases', { json: { text: 'A bread knife for two euros.' } });
      await expect.poll(() => panel.requests.length).toBeGreaterThan(0);
      await said(server.call(`/api/policies/${hash}/activation`, { method: 'PUT' }), schemas.policyVersion);
      expect(await (await judging).json()).toMatchObject({
        provenance: { policy: { name: (await defaultPolicy()).name } },
      });
    } finally {
      await panel.close();
    }
  });

  test('an impact holds a place while it is worked out, and stops when whoever asked for it goes away', async () => {
    const panel = await kitchen();
    try {
      for (let number = 0; number < 8; number += 1)
        await server.call('/api/jobs/moderation/cases', { json: { text: `A bread knife for ${number} euros.` } });
      const { hash } = await put(knives);
      panel.script = (request) => panelReply({ latencyMs: 300 }, request);
      const asked = panel.requests.length;
      const gone = new AbortController();
      const asking = server
        .call(`/api/policies/${hash}/impact`, { json: {}, signal: gone.signal })
        .catch((error: Error) => error.name);
      await pause(400);
      expect(
        await said(server.call('/api/jobs/moderation/cases', { json: { text: 'Bread.' } }), schemas.problem, 429),
      ).toMatchObject({ code: 'queue-full' });
      gone.abort();
      expect(await asking).toBe('AbortError');
      await expect
        .poll(async () => (await server.call('/api/jobs/moderation/cases', { json: { text: 'Bread.' } })).status, {
          timeout: 5_000,
        })
        .toBe(200);
      expect(panel.requests.length - asked).toBeLessThan(8 * 6);
    } finally {
      await panel.close();
    }
  });
});
