import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger, type LedgerPlace } from '@agonhq/ledger';
import { startPostgres } from '../support/postgres.ts';
import { newHome, postJson, serve } from '../support/served.ts';

/* Servers that are killed while clients ask for what must be made once, and those who take their place. */

const clients = 48;
const kills = 2;

interface Asked {
  path: string;
  body: { label?: string; why?: string; name?: string };
  key: string;
}

test('a server on SQLite that is killed between what it makes and its answer makes it once', async () => {
  const home = await newHome();
  await killWhileMaking(home, {}, { file: `${home}/ledger.sqlite` });
}, 180_000);

test('a server on PostgreSQL that is killed between what it makes and its answer makes it once', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const url = await postgres.newLedger();
  await killWhileMaking(await newHome(), { AGON_DATABASE_URL: url }, { url });
}, 180_000);

async function killWhileMaking(home: string, environment: Record<string, string>, place: LedgerPlace): Promise<void> {
  let served = await serve([], { home, environment });
  const ask = ({ path, body, key }: Asked) => postJson(`${served.url}${path}`, body, { 'idempotency-key': key });
  const cases = await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      const text = `Note ${number} of the garden club.`;
      const response = await postJson(`${served.url}/api/jobs/moderation/cases`, { text, method: 'guard' });
      return ((await response.json()) as { id: string }).id;
    }),
  );
  let cut = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const client = async (id: string, number: number): Promise<Asked> => {
      for (let count = 0; ; count += 1) {
        const name = `${kill}-${number}-${count}`;
        // Some make queues: refused where their name is taken, whoever asks.
        const asked =
          number % 12 === 0
            ? { path: '/api/queues', key: name, body: { name } }
            : { path: `/api/cases/${id}/feedback`, key: name, body: { label: 'safe', why: name } };
        const response = await ask(asked).catch(() => null);
        if ((await response?.text().catch(() => null)) == null) return asked;
        expect([asked, response!.status]).toEqual([asked, 201]);
      }
    };
    const asking = cases.map(client);
    await pause(300 + Math.random() * 300);
    served.child.kill('SIGKILL');
    await served.ended;
    const unanswered = await Promise.all(asking);
    served = await serve([], { home, environment });
    cut += unanswered.length;
    await Promise.all(
      unanswered.map(async (asked) => {
        if (asked.path !== '/api/queues') {
          // What was said before must not look like the last word.
          const other = { ...asked, key: `other-${asked.key}`, body: { label: 'unsafe', why: 'On second thoughts.' } };
          expect((await ask(other)).status).toBe(201);
        }
        let response = await ask(asked);
        while (response.status === 409 && (await response.clone().text()).includes('idempotency-running')) {
          await pause(500);
          response = await ask(asked);
        }
        expect([asked, response.status]).toEqual([asked, 201]);
        expect(await (await ask(asked)).json()).toMatchObject(asked.body.label ? { label: 'safe' } : asked.body);
      }),
    );
  }
  served.child.kill('SIGKILL');
  await served.ended;
  expect(cut).toBe(clients * kills);

  const ledger = await openLedger(place);
  onTestFinished(() => ledger.close());
  const decisions = await Promise.all(cases.map((id) => ledger.decisions.listDecisions(id)));
  const said = decisions.flatMap((ofCase) => ofCase.filter(({ label }) => label === 'safe').map(({ why }) => why));
  expect(said.length).toBeGreaterThan(cut / 2);
  expect(said.filter((why, index) => said.indexOf(why) !== index)).toEqual([]);
}
