import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';

/** A ledger on a disk that is full for so many writes of a run. */
function fullFor(ledger: Ledger, { takes, ends }: { takes: number; ends: number }): Ledger {
  const left = { takes, ends };
  const room = (what: keyof typeof left) => {
    if ((left[what] -= 1) >= 0) throw new AgonError('full-disk', 'The disk is full.', 'Make room.');
  };
  return {
    ...ledger,
    runs: {
      ...ledger.runs,
      async endRun(...ended) {
        room('ends');
        return ledger.runs.endRun(...ended);
      },
    },
    async openQueue(options) {
      const queue = await ledger.openQueue(options);
      return {
        ...queue,
        async takeItems(run, count) {
          room('takes');
          return queue.takeItems(run, count);
        },
      };
    },
  };
}

test.each([
  ['and the ledger can be told of it', { takes: 2, ends: 0 }],
  ['and nothing can be written at all', { takes: 2, ends: 2 }],
])('a run goes on by itself when the disk was full, %s, and has room again', async (_, trouble) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-full-'));
  const ledger = await openNewLedger(path.join(folder, 'ledger.db'));
  try {
    await using server = await runningServer({}, { ledger: fullFor(ledger, trouble) });
    const items = jsonLines([1, 2, 3].map((id) => ({ id: String(id), text: `Note ${id}.` })));
    const files = [{ name: 'items.jsonl', content: items }];
    const body = formOf({ job: 'moderation', method: 'guard' }, files);
    const run = await as('runs.create', await server.call('/api/runs', { method: 'POST', body }));
    await runEvents(server, run.id, { enough: ({ type, data }) => type === 'end' && data['state'] === 'finished' });
    expect(await as('runs.get', await server.call(`/api/runs/${run.id}`))).toMatchObject({
      state: 'finished',
      problem: null,
      counts: { done: 3 },
    });
    expect(server.log).toContainEqual(expect.objectContaining({ event: 'run', run: run.id, code: 'full-disk' }));
  } finally {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  }
});
