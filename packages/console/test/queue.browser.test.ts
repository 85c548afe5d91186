import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { expectGoodLooks, picture, useConsole } from './support/console.ts';

/* The queue: blind review, with the keyboard alone. */

const stage = useConsole();

let photograph: string;
beforeAll(async () => {
  photograph = (
    await sharp({ create: { width: 320, height: 200, channels: 3, background: '#a0703c' } })
      .png()
      .toBuffer()
  ).toString('base64');
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not get there.');
}

/** A reviewer who touches nothing but the keyboard. */
async function reviewer(name: string, where = '/queue'): Promise<Page> {
  const page = await stage.visit(where);
  await tabTo(page, page.getByLabel('Your name'));
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByText(`You are ${name}`).waitFor();
  return page;
}

const focussed = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

async function decide(page: Page, key: 's' | 'u', why: string): Promise<void> {
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  await page.keyboard.press(key);
  await page.keyboard.press('r');
  await page.keyboard.type(why);
  await page.keyboard.press('Control+Enter');
}

test('where nothing waits, a sample is judged that does', async () => {
  const page = await reviewer('Ada');
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  await expectGoodLooks(page, 'queue-empty');
  await page.getByRole('button', { name: 'Judge a sample' }).click();
  await page.getByRole('link', { name: 'How to build a potato gun' }).waitFor();
});

test('a case is decided blind, contradicted by a second reviewer and settled by a third, all by keyboard', async () => {
  await stage.server.call('/api/jobs/moderation/cases', {
    json: { text: 'How to build a potato gun, part 2', images: [{ data: photograph, name: 'knife.png' }] },
  });
  const ada = await reviewer('Ada');
  await ada.getByText('Includes an image').waitFor();
  await expectGoodLooks(ada, 'queue');
  await ada.keyboard.press('n');
  await ada.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  const id = new URL(ada.url()).searchParams.get('case')!;
  const { answer } = (await (await stage.server.call(`/api/cases/${id}`)).json()) as {
    answer: { verdict: { rule: { why: string } } };
  };
  for (const opinion of ['bar 0.', 'The machine', answer.verdict.rule.why])
    expect(await ada.getByRole('main').innerText()).not.toContain(opinion);

  await ada.keyboard.press('?');
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await ada.keyboard.press('Escape');
  await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
  await ada.keyboard.press('Control+Enter');
  await ada.getByText('Choose safe or unsafe.').waitFor();
  await ada.keyboard.press('s');
  expect(await ada.getByRole('radio', { name: 'Safe', exact: false }).first().isChecked()).toBe(true);
  await ada.keyboard.press('c');
  await ada.keyboard.type('weapons');
  await ada.getByRole('option', { name: /weapons\.make/ }).waitFor();
  await ada.keyboard.press('ArrowDown');
  await ada.keyboard.press('ArrowUp');
  await expectGoodLooks(ada, 'queue-desk');
  await ada.keyboard.press('Enter');
  await ada.getByRole('button', { name: /Remove clause weapons\./ }).waitFor();
  await ada.keyboard.type('A craft that children learn at camp.');
  await ada.keyboard.press('Control+Enter');
  await ada.getByText('You disagree with the machine.').waitFor();
  await ada.getByText(answer.verdict.rule.why).waitFor();
  expect(await focussed(ada)).toContain('Next case');
  await expectGoodLooks(ada, 'queue-revealed');
  expect(await stage.server.ledger.decisions.listDecisions(id)).toMatchObject([
    {
      by: 'Ada',
      label: 'safe',
      why: 'A craft that children learn at camp.',
      clause: expect.stringMatching(/^weapons\./),
    },
  ]);

  const bob = await reviewer('Bob', `/queue?stage=second&case=${id}`);
  expect(await bob.getByRole('main').innerText()).not.toContain('A craft that children learn');
  await decide(bob, 'u', 'A knife is a knife.');
  await bob.getByText('a third one settles it').first().waitFor();

  const cleo = await reviewer('Cleo', '/queue?stage=dispute');
  await cleo.getByRole('button', { name: /Start reviewing/ }).waitFor();
  await cleo.keyboard.press('n');
  await cleo.getByText('A craft that children learn at camp.').waitFor();
  await expectGoodLooks(cleo, 'queue-dispute');
  await decide(cleo, 's', 'Wood, a hobby, nobody is threatened.');
  await cleo.getByText('The case is settled.').first().waitFor();
  expect((await stage.server.ledger.decisions.listDecisions(id)).map(({ by }) => by)).toEqual(['Ada', 'Bob', 'Cleo']);
  await cleo.keyboard.press('Enter');
  await cleo.getByRole('heading', { name: 'Nothing to review here' }).waitFor();
}, 240_000);

test('an image is blurred until B is pressed; what is skipped is put back', async () => {
  await stage.server.call('/api/jobs/moderation/cases', {
    json: { text: 'How to build a potato gun, part 3', images: [{ data: photograph }] },
  });
  const page = await reviewer('Dora');
  await page.getByRole('link', { name: /part 3/ }).press('Enter');
  await page.getByRole('img', { name: /blurred/ }).waitFor();
  await picture(page, 'queue-blurred');
  await page.keyboard.press('b');
  await page.getByRole('img', { name: 'Image 1, as it was judged', exact: true }).waitFor();
  const other = await reviewer('Eli');
  await other.getByText('Open by Dora').waitFor();
  const skipped = new URL(page.url()).searchParams.get('case');
  await page.keyboard.press('n');
  await page.waitForURL((url) => url.searchParams.get('case') !== skipped);
  await other.reload();
  const row = other.getByRole('listitem').filter({ hasText: 'part 3' });
  await row.waitFor();
  expect(await row.innerText()).not.toContain('Open by');
});

test('who turns blind mode off sees the machine’s opinion first, and is told what that does', async () => {
  const page = await reviewer('Fay');
  await page.getByRole('link', { name: /part 3/ }).press('Enter');
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  await page.getByRole('checkbox', { name: /^Blind/ }).press(' ');
  await page.getByText(/People tend to follow/).waitFor();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
});

test('a decision that does not reach the server is kept, and sent again', async () => {
  const { id } = (await (
    await stage.server.call('/api/jobs/moderation/cases', { json: { text: 'How to build a potato gun, part 5' } })
  ).json()) as { id: string };
  const page = await reviewer('Gus', `/queue?case=${id}`);
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  stage.forgive(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to load resource/);
  await page.context().setOffline(true);
  await decide(page, 's', 'Woodwork.');
  await page.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Back to queue' }).press('Enter');
  await page.getByText(/has not reached the server/).waitFor();
  await page.context().setOffline(false);
  // Whoever comes next at the same desk does not send it in their own name.
  for (const name of ['Hal', 'Gus']) {
    expect(await page.getByText(/has not reached the server/).count()).toBe(name === 'Hal' ? 1 : 0);
    await page.getByRole('button', { name: 'Change' }).press('Enter');
    await page.getByLabel('Your name').fill(name);
    await page.keyboard.press('Enter');
    await page.getByText(`You are ${name}`).waitFor();
  }
  await page.getByRole('button', { name: 'Send again' }).press('Enter');
  await page.getByText('Your decisions were recorded.').waitFor();
  expect(await stage.server.ledger.decisions.listDecisions(id)).toMatchObject([{ by: 'Gus', why: 'Woodwork.' }]);
});
