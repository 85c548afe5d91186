import { expect, test, vi } from 'vitest';
import { noUsage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { watchBench } from './watch-bench.ts';

test('what befalls every item is told of the first ten, and then counted', async () => {
  const said: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const summary = { judged: 0, failed: 25, skipped: 0, running: 0, total: 25, rate: 0, etaSeconds: null };
  await watchBench({ quiet: true, kept: false })(
    { file: 'a.jsonl', system: 'guard', beside: false, spent: () => noUsage },
    async ({ onError }) => {
      for (let line = 1; line <= 25; line++) onError!(new AgonError('models-away', 'It is down.', 'Wait.'), line);
      onError!(new AgonError('internal', 'Something else.', 'Look.'), 26);
      return { summary, outcomes: [] };
    },
  );
  stderr.mockRestore();
  expect(said.filter((text) => text.includes('(models-away)'))).toHaveLength(10);
  expect(said.join('')).toContain('guard: 15 more items failed with models-away');
  expect(said.join('')).toContain('line 26: Something else.');
});
