import { execFile } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ModelCall } from '@agonhq/engine/debate';
import type { ModerationAnswer } from '@agonhq/core';
import { hang, malformedJson, status } from '../fake-provider/index.ts';
import { onRecord } from '../support/on-record.ts';
import { hasPrograms } from '../support/programs.ts';
import { key, openCourt, until } from '../support/run-agon.ts';
import { leastEnvironment } from '../support/least-environment.ts';

/** Each of these starts several processes. */
const patience = { timeout: 120_000 };
const post = "It's a text with 'quotes' and $(words).";

interface Said extends ModelCall {
  turn: string;
  curl: string | null;
}

test('agon show --prompts says what was sent and said, attempt by attempt, and no key', patience, async () => {
  const court = onRecord(await openCourt());
  const { script } = court.panel;
  court.panel.script = (request) => (request.index === 0 ? malformedJson() : script(request));
  const answer = await court.json<ModerationAnswer>(['moderate', post]);
  const { calls } = await court.json<{ calls: Said[] }>(['show', answer.id, '--prompts']);
  const sent = court.panel.requests;
  expect(calls.map(({ turn, why }) => [turn, why]).slice(0, 3)).toEqual([
    ['supporter', 'answer'],
    ['supporter', 'repair'],
    [expect.stringMatching(/round-1/), 'answer'],
  ]);
  expect(calls).toHaveLength(sent.length);
  for (const { request } of calls) expect(sent.map(({ body }) => body as unknown)).toContainEqual(request!.body);
  const [first] = calls;
  expect(first!.messages.at(-1)!.content).toContain(post);
  expect(first!.usage.inputTokens).toBeGreaterThan(0);
  expect(JSON.stringify(calls)).not.toContain(key);

  const shown = await court.agon(['show', answer.id, '--prompts', '--turn', 'arbiter']);
  expect(shown.stdout).toContain('arbiter fake:panel-vision');
  expect(shown.stdout).toContain('--- reply (stop)');
  expect((await court.agon(['show', answer.id, '--prompts', '--turn', 'nobody'])).stderr).toContain('The turns are ');

  if (hasPrograms) {
    // The command is what was sent: run with the key, the provider receives the same.
    const before = sent.length;
    await promisify(execFile)('/bin/sh', ['-c', calls.at(-1)!.curl!], {
      env: { ...leastEnvironment(), FAKE_API_KEY: key },
    });
    expect(sent[before]!.body).toEqual(calls.at(-1)!.request!.body);
    expect(sent[before]!.headers['authorization']).toBe(`Bearer ${key}`);
  }

  await court.agon(['ledger', 'forget', answer.id, '--yes']);
  expect((await court.json<{ calls: Said[] }>(['show', answer.id, '--prompts'])).calls).toEqual([]);
});

test('agon show says what left the machine and to whom, and never the values', patience, async () => {
  const court = onRecord(await openCourt());
  const answer = await court.json<ModerationAnswer>(['moderate', 'Mail zoe@example.org, or call 0171 1234567.']);
  const { disclosures } = await court.json<{ disclosures: object[] }>(['show', answer.id]);
  expect(disclosures).toMatchObject([
    { host: new URL(court.panel.url).host, here: true, masked: {}, unmasked: { mail: 1, phone: 1 } },
  ]);
  const { stdout } = await court.agon(['show', answer.id]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /What left this machine 127\.0\.0\.1:\d+ \(this machine\), fake:panel-vision: \d+ requests, [\d,]+ bytes; as it is: 1 mail address, 1 phone number/,
  );
});

test('a case whose key was rejected is interrupted, and says why', patience, async () => {
  const court = onRecord(await openCourt(() => status(401)));
  expect((await court.agon(['moderate', post])).code).not.toBe(0);
  expect((await court.agon(['cases'])).stdout).toContain('interrupted');
  const row = await court.json<{ state: string; problem: { code: string } }>(['cases']);
  expect(row).toMatchObject({ state: 'interrupted', problem: { code: 'wrong-key' } });
});

test('a case whose process was killed is interrupted a minute later', patience, async () => {
  const court = onRecord(await openCourt(() => hang()));
  const { child, ended } = court.start(['moderate', post]);
  await until(() => court.panel.requests.length > 0, 60);
  child.kill('SIGKILL');
  await ended;
  expect(await court.json(['cases'])).toMatchObject({ state: 'judging', problem: null });
  using database = new DatabaseSync(court.ledger);
  const ago = new Date(Date.now() - 61_000).toISOString();
  expect(database.prepare('update debates set seen_at = ?').run(ago).changes).toBe(1);
  expect(await court.json(['cases'])).toMatchObject({ state: 'interrupted', problem: null });
});
