import { expect, test } from 'vitest';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import type { LogLine } from '../log.ts';
import { applyRetention } from './retention.ts';

const days = (count: number) => Date.now() + count * 86_400_000;

test('what was judged is forgotten after the days that the settings say, and the case deleted after more', async () => {
  const settings = { server: { keepContentsDays: 30, keepCasesDays: 90 } };
  await using server = await runningServer(settings);
  const text = 'A note about zyxomma dragonflies.';
  const answer = await server.call('/api/jobs/moderation/cases', { json: { text } });
  const { id } = (await answer.json()) as { id: string };
  const said: LogLine[] = [];
  const context = {
    ledger: server.ledger,
    settings,
    trials: { forgetEnded: () => undefined } as never,
    log: (line: LogLine) => void said.push(line),
  };
  const find = async () => (await server.ledger.cases.findCase(id)) ?? null;

  await applyRetention(context, days(29));
  expect(await find()).toMatchObject({ content: { text }, label: 'safe' });
  expect(said).toEqual([]);

  await applyRetention(context, days(31));
  expect(await find()).toMatchObject({ content: null, label: 'safe' });
  expect(said).toMatchObject([{ event: 'retention', what: 'contents', cases: 1 }]);

  await applyRetention(context, days(91));
  expect(await find()).toBeNull();
});
