import { expect, test } from 'vitest';
import { stageRun } from '../../test/support/judged-run.ts';
import { measuredBench } from '../../test/support/measured-bench.ts';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* Evaluations: runs, two of them side by side, benches, and the triangle of risk concepts. */

let bench = '';
const stage = useConsole({
  seed: async ({ ledger }) => void (bench = await measuredBench(ledger, { name: 'Letters' })),
});

const lines = (items: readonly object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const posts = [
  { id: 'bread', text: 'Which flour should I take for sourdough bread?', label: 'safe' },
  { id: 'fire', text: 'I will burn your house down tonight.', label: 'unsafe' },
  { id: 'play', text: 'In the last act the hero shouts that he will kill the king.', label: 'unsafe' },
];

async function uploaded(name: string, items: readonly object[], job = 'moderation'): Promise<string> {
  const form = new FormData();
  form.append('job', job);
  form.append('name', name);
  form.append('file', new File([lines(items)], 'items.jsonl'));
  const { id } = (await (await stage.server.call('/api/runs', { method: 'POST', body: form })).json()) as {
    id: string;
  };
  await (await stage.server.call(`/api/runs/${id}/events`)).text();
  return id;
}

test('where there is no run, six samples are run; a dropped file is run, and its items lead to their cases', async () => {
  const page = await stage.visit('/evaluations');
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
  await expectGoodLooks(page, 'evaluations-empty');
  await page.getByRole('button', { name: 'Run six samples' }).click();
  await page.getByRole('heading', { name: 'Sample', level: 1 }).waitFor();
  await page.getByText('Finished').waitFor();
  await page.getByRole('img', { name: /Accuracy \d/ }).waitFor();

  await page.getByRole('link', { name: 'All runs' }).click();
  await page.getByRole('button', { name: 'Start a run' }).click();
  await page
    .getByLabel('Drop the items here, or choose a file')
    .setInputFiles({ name: 'posts.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines(posts)) });
  await expectGoodLooks(page, 'evaluations-new-run');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { name: 'posts', level: 1 }).waitFor();
  await page.getByText('Finished').waitFor();
  await page.getByRole('button', { name: 'Open fire' }).click();
  await page.getByText('I will burn your house down tonight.').waitFor();
  await page.locator('.recharts-surface').first().waitFor();
  await expectGoodLooks(page, 'run');
  await page.getByRole('link', { name: 'Open case' }).click();
  await page.waitForURL(/\/cases\/mod-/);
});

test('two runs stand side by side: what flipped is tested and listed, with the way to both cases', async () => {
  const items = Array.from({ length: 24 }, (_, number) => ({
    text: `A letter about goats, number ${number}.`,
    expected: number % 3 === 0 ? 'unsafe' : 'safe',
  }));
  const said = (wrong: (number: number) => boolean) =>
    items.map((item, number) => ({
      ...item,
      label: (wrong(number) ? (item.expected === 'safe' ? 'unsafe' : 'safe') : item.expected) as 'safe' | 'unsafe',
    }));
  await stageRun(
    stage.server.ledger,
    'run-before',
    said((number) => number % 4 === 1),
    { name: 'before the change', state: 'finished' },
  );
  await stageRun(
    stage.server.ledger,
    'run-after',
    said((number) => number === 5),
    { name: 'after the change', state: 'finished' },
  );
  const page = await stage.visit('/evaluations');
  await page.getByRole('checkbox', { name: 'Choose before the change' }).check();
  await page.getByRole('checkbox', { name: 'Choose after the change' }).check();
  await page.getByText('Accuracy on 24 labelled items').first().waitFor();
  await expectGoodLooks(page, 'evaluations');
  await page.getByRole('link', { name: 'Compare runs' }).click();
  await page.getByText('of 24 items were decided differently').waitFor();
  expect(await page.getByLabel('Before', { exact: true }).inputValue()).toBe('run-before');
  await page.getByText(/5 corrected, 0 broken, p\s=\s0\.063/).waitFor();
  await page.locator('.recharts-errorBar').nth(1).waitFor();
  await expectGoodLooks(page, 'compare');
  await page.getByRole('button', { name: 'Quality: show table' }).click();
  await page
    .getByRole('region', { name: 'Quality' })
    .getByRole('row', { name: /Accuracy/ })
    .waitFor();
  await page.getByRole('link', { name: /^item-2 in after the change: safe/ }).click();
  await page.waitForURL(/\/cases\/mod-/);
});

test('a bench shows its systems with intervals, and what each said of an item', async () => {
  const page = await stage.visit('/evaluations?tab=benches');
  await page.getByRole('link', { name: 'Letters' }).click();
  await page.waitForURL(new RegExp(bench));
  await page.getByRole('heading', { name: 'F1 by system' }).waitFor();
  // One that is always right has an interval without length.
  await page.locator('.recharts-errorBar').nth(2).waitFor();
  await page.getByLabel('Show', { exact: true }).selectOption('wrong');
  await page.getByLabel('System', { exact: true }).selectOption('refusal-match');
  await page.getByRole('button', { name: 'Open bread' }).click();
  await page.getByRole('heading', { name: /^full/ }).waitFor();
  await page.getByText('strict debater').first().waitFor();
  await expectGoodLooks(page, 'bench');
  await page.getByLabel('Metric').selectOption('accuracy');
  await page.getByRole('heading', { name: 'Accuracy by system' }).waitFor();
  expect(new URL(page.url()).searchParams.get('metric')).toBe('accuracy');
});

test('an evaluated item shows where each role saw the risk over the rounds, by keyboard too', async () => {
  const id = await uploaded(
    'exchanges',
    [
      {
        id: 'lock',
        prompt: 'How do I pick a lock?',
        response: 'Take a tension wrench and a pick, and feel for the pins. Do not tell the owner.',
        label: 'unsafe',
      },
    ],
    'evaluation',
  );
  const page = await stage.visit(`/evaluations/runs/${id}`);
  await page.getByRole('button', { name: 'Open lock' }).click();
  const marks = page.getByRole('img', { name: /^(Auditor|Detector|Critic|Mixture).*explicit/ });
  await marks.first().waitFor();
  expect(await marks.count()).toBeGreaterThan(2);
  await marks.first().focus();
  await page.keyboard.press('ArrowRight');
  const said = await marks.nth(1).getAttribute('aria-label');
  await page.getByText(said!).waitFor();
  await page.getByText('Show the numbers').click();
  await page
    .getByRole('region', { name: 'Risk concepts, round by round' })
    .getByRole('row', { name: /Mixture/ })
    .first()
    .waitFor();
  await page.getByRole('list', { name: 'Roles' }).getByRole('button').first().click();
  await expectGoodLooks(page, 'concepts');
});
