import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectGoodLooks, picture, useConsole } from './support/console.ts';

/* Decisions that act, and what is known about an item beside what it says. */

const stage = useConsole();

const context = {
  author: 'user-4711',
  thread: 'thread-9',
  channel: 'Crafts <script>alert(1)</script>',
  links: ['javascript:alert(1)', 'https://example.com/gun'],
  reports: 3,
};

interface Judged {
  id: string;
  verdict: { label: string; action: string };
}

async function judge(text: string, known?: object): Promise<Judged> {
  const response = await stage.server.call('/api/jobs/moderation/cases', {
    json: { text, ...(known ? { context: known } : {}) },
  });
  return (await response.json()) as Judged;
}

/** The widest that people work at, in light and dark. */
async function expectGoodAtDesk(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await picture(page, `${name}-1440-${scheme}`);
    await expectAccessible(page);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a form takes a context', async () => {
  const page = await stage.visit('/');
  await page.getByLabel('Text', { exact: true }).fill('I will burn your house down tonight.');
  await page.getByText('Context', { exact: true }).click();
  await page.getByLabel('Author').fill('user-4711');
  await page.getByLabel('Channel').fill(context.channel);
  await page.getByLabel('Links').fill(context.links.join('\n'));
  await page.getByLabel('Anything else').fill('no colon here');
  await expectGoodLooks(page, 'judge-context');
  await page.getByRole('button', { name: 'Judge', exact: false }).last().click();
  await page.getByText('Write each line of the context as a name, a colon and a value.').waitFor();
  await page.getByLabel('Anything else').fill('reports: 3');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Proposed action').waitFor();
  const { rows } = (await (await stage.server.call('/api/cases?author=user-4711')).json()) as { rows: Judged[] };
  expect(rows).toHaveLength(1);
});

test('a case shows its context as text, and what is proposed', async () => {
  const { id } = await judge('I will burn your stable down tonight.', context);
  const page = await stage.visit(`/cases/${id}`);
  await page.getByRole('heading', { name: 'Context' }).waitFor();
  await page.getByText(context.channel).waitFor();
  await page.getByText('javascript:alert(1)').waitFor();
  expect(await page.locator('a[href^="javascript"], a[href*="example.com"]').count()).toBe(0);
  await page.getByText('Remove', { exact: true }).first().waitFor();
  await expectGoodLooks(page, 'case-context');
  await expectGoodAtDesk(page, 'case-context');
});

test('a reviewer sees the author and the thread, blind; their action stands beside the machine’s', async () => {
  const before = await judge('I will burn your barn down tonight.', context);
  const waiting = await judge('How to build a potato gun, part 1', { ...context, author: 'user-8' });
  const { id } = await judge('How to build a potato gun, part 2', context);
  const page = await stage.visit(`/queue?case=${id}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Earlier by this author' }).waitFor();
  await page.getByRole('heading', { name: 'In this thread' }).waitFor();
  const main = page.getByRole('main');
  expect(await main.getByRole('link', { name: /burn your barn/ }).count()).toBe(2);
  expect(await main.getByText('Not decided yet').count()).toBe(1);
  expect(await main.innerText()).not.toContain('Proposed');
  expect(waiting.verdict.label).not.toBe('safe');
  expect(before.verdict.action).toBe('remove');

  await page.getByRole('heading', { name: 'Is this safe?' }).focus();
  await page.keyboard.press('s');
  await page.getByRole('option', { name: 'Allow, as the policy asks' }).waitFor({ state: 'attached' });
  await page.getByLabel(/^Action/).selectOption('warn');
  await page.getByText('this is a warning to you').waitFor();
  await expectGoodLooks(page, 'queue-action');
  await expectGoodAtDesk(page, 'queue-action');
  await page.getByLabel(/^Why/).fill('A craft, but keep an eye on it.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Next case').waitFor();
  await page.getByText('Proposed').waitFor();
  expect(await stage.server.ledger.decisions.listDecisions(id)).toMatchObject([{ label: 'safe', action: 'warn' }]);
  await expectGoodLooks(page, 'queue-action-decided');

  await page.goto(`${stage.server.url}/cases/${id}?tab=around`);
  await page.getByRole('heading', { name: 'Earlier by this author' }).waitFor();
  await expectGoodLooks(page, 'case-around');
  await page.goto(`${stage.server.url}/cases/${id}?tab=people`);
  await page.getByText(/The verdict proposes: /).waitFor();
  await page.getByText('Warn', { exact: true }).first().waitFor();
});

test('cases are found by author and by action, the overview counts actions, the policy shows them', async () => {
  const cases = await stage.visit('/cases?author=user-4711&action=remove');
  await cases.getByText('Author user-4711').waitFor();
  await cases.getByText('Action remove').waitFor();
  await cases.getByText('I will burn your barn down tonight.').waitFor();
  expect(await cases.getByText('potato gun, part 1').count()).toBe(0);
  await expectGoodAtDesk(cases, 'cases-by-action');
  const overview = await stage.visit('/overview?days=7');
  const table = overview.getByRole('region', { name: 'Actions' });
  await table.waitFor();
  expect(await table.getByRole('row', { name: /^Warn 0 1 1/ }).count()).toBe(1);
  await expectGoodLooks(overview, 'overview-actions');
  const policy = await stage.visit('/policy');
  await policy.getByText('Remove', { exact: true }).first().waitFor();
  await expectGoodAtDesk(policy, 'policy-actions');
});
