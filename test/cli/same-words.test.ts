import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createAgon } from '@agonhq/core/app';
import { openLedger } from '@agonhq/ledger';
import { runningServer } from '../support/running-server.ts';
import { agon } from '../support/run-agon.ts';

interface Judged {
  verdict: { label: string; risk: number; escalate: boolean; degraded: readonly object[] };
  transcript: unknown;
}

test('a text that a person has corrected is not condemned again without one, by command, run, library and server', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-same-words-'));
  const environment = { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.sqlite') };
  const said = async (...args: string[]) => (await agon(args, { environment })).stdout;
  const text = 'Running late, start without me.';
  const first = JSON.parse(await said('moderate', text, '--json')) as Judged & { id: string };
  expect(first.verdict).toMatchObject({ label: 'unsafe', escalate: false });
  await said('feedback', first.id, '--label', 'safe', '--why', 'It is about a dinner.', '--by', 'ann');
  // Before anybody learns of it, by whichever method: it waits for a person, and says why.
  for (const method of [[], ['--method', 'judge']]) {
    const { verdict } = JSON.parse(await said('moderate', text, ...method, '--json')) as Judged;
    expect(verdict).toMatchObject({ label: 'unsafe', escalate: true });
    expect(verdict.degraded).toContainEqual(
      expect.objectContaining({ kind: 'decided-otherwise', detail: expect.stringContaining(first.id) }),
    );
  }
  const [, learnt] = /learnt as (learnt-\w+)/.exec(await said('learn'))!;

  const items = path.join(folder, 'items.jsonl');
  const results = path.join(folder, 'results.jsonl');
  await writeFile(items, `${JSON.stringify({ id: 'a', text })}\n`);
  const command = JSON.parse(await said('moderate', text, '--json')) as Judged;
  await said('run', '--job', 'moderation', '--file', items, '--out', results, '--name', 'again');
  const ran = JSON.parse(await said('runs', 'export', 'again', '--format', 'jsonl')) as { result: Judged };

  const ledger = await openLedger({ file: environment.AGON_LEDGER });
  const library = await createAgon({}, { ledger, environment });
  await using server = await runningServer({}, { ledger, environment });
  const answers = [
    command,
    ran.result,
    await library.moderate(text),
    (await (await server.call('/api/jobs/moderation/cases', { json: { text } })).json()) as Judged,
  ];
  for (const { verdict, transcript } of answers) {
    expect(verdict.label === 'safe' || verdict.escalate).toBe(true);
    expect(verdict.risk).toBeLessThan(first.verdict.risk / 2);
    expect(JSON.stringify(transcript)).toContain(learnt);
  }
  await library.close();
});
