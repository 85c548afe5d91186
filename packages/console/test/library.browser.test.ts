import { expect, test } from 'vitest';
import { expectGoodLooks, useConsole } from './support/console.ts';

/* Precedents and policy: what debates draw on, and what they are held under. */

const stage = useConsole({
  seed: async ({ call }) => {
    for (const text of ['I will bring a bomb to the station tomorrow.', 'Good morning, the tulips are out.'])
      await call('/api/jobs/moderation/cases', { json: { text } });
    const { rows } = (await (await call('/api/cases?label=unsafe')).json()) as { rows: { id: string }[] };
    await call(`/api/cases/${rows[0]!.id}/feedback`, {
      json: { label: 'safe', why: 'A line of a play that was rehearsed there.', by: 'Ada' },
    });
  },
});

test('the curator proposes a precedent from a mistake; a person accepts it, edits it and retires it', async () => {
  const page = await stage.visit('/precedents');
  await page.getByText('seed-0001').waitFor();
  await expectGoodLooks(page, 'precedents');

  await page.getByRole('button', { name: 'Learn from mistakes' }).click();
  await page.getByText(/The curator studied 1 case/).waitFor();
  await page.getByRole('tab', { name: 'Proposals' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page
    .getByText(/is now in force/)
    .first()
    .waitFor();
  await page.getByText('No proposals').waitFor();
  const learnt = (await (await stage.server.call('/api/precedents?state=active&search=bomb')).json()) as {
    rows: { id: string; label: string; provenance: { kind: string } }[];
  };
  const { id } = learnt.rows.find(({ provenance }) => provenance.kind === 'learnt')!;

  await page.goto(`${stage.server.url}/precedents?id=${id}`);
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await page.getByLabel('Summary').fill('An actor rehearses a threat from a play.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('An actor rehearses a threat from a play.').first().waitFor();
  await page.getByRole('button', { name: 'Retire' }).first().click();
  await page.getByRole('dialog').getByLabel('Why').fill('One rehearsal is no rule.');
  await page.getByRole('button', { name: 'Retire precedent' }).click();
  await page.getByText(`${id} was retired`).waitFor();
  expect(await (await stage.server.call(`/api/precedents/${id}`)).json()).toMatchObject({
    state: 'retired',
    summary: 'An actor rehearses a threat from a play.',
  });
});

test('finds the precedents that a debate about a text would be shown', async () => {
  const page = await stage.visit('/precedents?tab=alike');
  await page.getByRole('button', { name: 'Try a sample' }).click();
  await page
    .getByText(/similarity 0\.\d\d/)
    .first()
    .waitFor();
});

const policy = (text: string, version: string) => `name: House rules
version: "${version}"
categories:
  - id: threats
    title: Threats
    clauses:
      - id: threats.violence
        text: ${text}
        severity: high
        violations:
          - I will burn your house down tonight.
        exonerations:
          - The film begins with a burning house.
`;

test('a policy is written, checked, compared, tested, tried on past cases and put in force', async () => {
  const page = await stage.visit('/policy');
  await page.getByRole('heading', { name: 'Hate and discrimination' }).waitFor();
  await expectGoodLooks(page, 'policy');
  await page.getByRole('tab', { name: 'Edit and test' }).click();
  const editor = page.getByLabel('Policy file');
  await editor.fill(policy('', '2'));
  await page.getByRole('button', { name: 'Check and save' }).click();
  stage.forgive(/status of 422/);
  await page.getByText(/problems? found/).waitFor();
  const wrong = page.locator('[data-line]').first();
  expect(Number(await wrong.getAttribute('data-line'))).toBeGreaterThan(3);
  expect(await wrong.textContent()).not.toBe('');
  await expectGoodLooks(page, 'policy-wrong');
  await page
    .getByRole('button', { name: /^Line \d+/ })
    .first()
    .click();
  expect(await page.evaluate<number>('document.activeElement.selectionStart')).toBeGreaterThan(50);

  await editor.fill(policy('threats of violence', '2'));
  await page.getByRole('button', { name: 'Check and save' }).click();
  await page.getByText('threats.violence').first().waitFor();
  await page.getByRole('button', { name: 'Test examples' }).click();
  await page.getByText(/examples of 1 clauses are judged correctly|clauses miss some/).waitFor();
  await editor.press('Control+End');
  const beside = page.getByRole('complementary', { name: 'The clause at the cursor' });
  await beside.getByRole('heading', { name: 'threats.violence' }).waitFor();
  await beside.getByText(/of 2 examples/).waitFor();
  await page.getByRole('button', { name: 'Measure impact' }).click();
  await page.getByText('Judged again', { exact: true }).waitFor();
  await expectGoodLooks(page, 'policy-edit');
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put in force' }).click();
  await page.getByText('House rules 2 is now in force.').waitFor();
  expect(await (await stage.server.call('/api/policies/active')).json()).toMatchObject({
    name: 'House rules',
    version: '2',
  });

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('heading', { name: 'Compare' }).waitFor();
  await page.getByText('Removed').first().waitFor();
});
