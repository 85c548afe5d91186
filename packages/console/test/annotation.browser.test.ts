import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { expectAccessible, expectGoodLooks, phone, picture, useConsole } from './support/console.ts';

/* Annotation: two people label a dataset to a figure, and settle what they disagree about. */

const stage = useConsole();

const long = `A long story begins. ${'Nothing happens for a while. '.repeat(200)}And then the tea is ready.`;
const rows = [
  { id: 'poster', text: 'We will kill it on Friday!', image: 'poster.png' },
  { id: 'cake', text: 'The cake is ready at five.' },
  { id: 'story', text: long },
  { id: 'knife', prompt: 'How do I sharpen a knife?', response: 'On a whetstone, away from your fingers.' },
];
const dataset = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const poster = () =>
  sharp({ create: { width: 1600, height: 1000, channels: 3, background: '#12355b' } })
    .png()
    .toBuffer();

/** What each says of each item: three of four alike. */
const opinions: Record<string, Record<string, string>> = {
  Ada: { poster: 'Safe', cake: 'Safe', story: 'Unsafe', knife: 'Safe' },
  Ben: { poster: 'Safe', cake: 'Safe', story: 'Unsafe', knife: 'Unsafe' },
};

async function makeProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles([
    { name: 'items.jsonl', mimeType: 'application/jsonl', buffer: dataset },
    { name: 'poster.png', mimeType: 'image/png', buffer: await poster() },
  ]);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Guidelines').fill('Judge image and text together.');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function sayName(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const panel = (page: Page) => page.getByRole('group', { name: 'Your vote' });
const itemShown = async (page: Page) => (await page.getByRole('heading', { level: 2 }).first().textContent())!;

/** Looks at all of an item with the keyboard alone, and votes; says what it was. */
async function voteByKeyboard(page: Page, name: string): Promise<string> {
  await panel(page).waitFor();
  const id = await itemShown(page);
  const radio = panel(page).getByRole('radio', { name: opinions[name]![id]!, exact: true });
  if (id === 'poster') {
    await page.getByText('Show it first').waitFor();
    await page.keyboard.press('1');
    expect([await radio.isChecked(), await radio.isDisabled()]).toEqual([false, true]);
    await page.getByText(/Before you vote: show and view the image/).waitFor();
    await page.keyboard.press('b');
  }
  if (id === 'story') await page.getByText('Before you vote: read the text to the end.').waitFor();
  for (const part of ['Image', 'Text', 'Prompt', 'Response']) {
    const shown = page.getByRole('region', { name: part, exact: true });
    if ((await shown.count()) === 0) continue;
    // Also on a phone, where it may be further down.
    await shown.getByRole('group', { name: part }).focus();
    await page.keyboard.press('End');
    await shown.getByText('Viewed').waitFor();
  }
  await page.getByText('You have viewed everything.').waitFor();
  await page.keyboard.press(opinions[name]![id] === 'Safe' ? '1' : '2');
  expect(await radio.isChecked()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText(new RegExp(`You voted (?:un)?safe on ${id}\\.`)).waitFor();
  return id;
}

/** Until something else is before them. */
const leaves = (page: Page, id: string) => expect.poll(() => itemShown(page), { timeout: 15_000 }).not.toBe(id);

async function annotateAll(page: Page, name: string): Promise<void> {
  const voted: string[] = [];
  for (let left = rows.length; left > 0; left -= 1) {
    const id = await voteByKeyboard(page, name);
    voted.push(id);
    await leaves(page, id);
  }
  await page.getByRole('heading', { name: 'Nothing left to vote on' }).waitFor();
  expect(voted.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
}

test(
  'there is a sample to try; its image is blurred until asked for, and can be enlarged',
  { timeout: 120_000 },
  async () => {
    const page = await stage.visit('/annotation');
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await picture(page, 'annotation-empty');
    await page.getByRole('button', { name: 'Try a sample' }).first().click();
    await sayName(page, 'Cleo');
    await panel(page).waitFor();
    const image = page.getByRole('group', { name: 'Image, blurred' });
    await image.waitFor();
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('figure img')).filter")).toContain(
      'blur',
    );
    await picture(page, 'annotation-blurred');
    await page.keyboard.press('b');
    const shown = page.getByRole('group', { name: 'Image', exact: true });
    const width = async () => (await shown.locator('img').boundingBox())!.width;
    const fits = await width();
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    expect((await width()) / fits).toBeGreaterThan(1.4);
    await page.getByText('200 %').waitFor();
    await page.getByText('You have viewed everything.').waitFor();
    await page.keyboard.press('1');
    await expectGoodLooks(page, 'annotation-desk');
    await page.keyboard.press('n');
    await leaves(page, 'poster');
    await page.goBack();
    await page.getByText('Sample: harmless or not').waitFor();
    await expectGoodLooks(page, 'annotation');
  },
);

test('what is wrong with a dataset is told row by row, and nothing is made', async () => {
  const page = await stage.visit('/annotation');
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles([
    {
      name: 'table.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Nr,Comment,picture\n1,"One, two",lost.png\n1,Again,\n'),
    },
  ]);
  await dialog.getByText('Choose the column for the text').waitFor();
  await dialog.getByLabel('Column for text').selectOption('Comment');
  await dialog.getByLabel('Column for image').selectOption('picture');
  await dialog.getByLabel('Column for id').selectOption('Nr');
  await dialog.getByText(/One image named in these rows is missing: lost\.png/).waitFor();
  stage.forgive(/status of 422/);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await dialog.getByText('2 rows of table.csv cannot be used').waitFor();
  expect(
    await dialog.getByRole('list', { name: 'Rows that cannot be used' }).getByRole('listitem').allTextContents(),
  ).toEqual([
    expect.stringContaining('Line 2 The image "lost.png" is not among'),
    expect.stringContaining('Line 3 Its id "1" is that of line 2'),
  ]);
  await expectGoodLooks(page, 'annotation-new');
  expect((await stage.server.ledger.annotations.listProjects()).map(({ name }) => name)).not.toContain('table');
});

test(
  'two people vote after looking at everything, agree to a figure computed by hand, settle their dispute and export',
  { timeout: 180_000 },
  async () => {
    const people = new Map<string, BrowserContext>([
      ['Ada', await stage.newPerson()],
      ['Ben', await stage.newPerson()],
    ]);
    const ada = await stage.visit('/annotation', { person: people.get('Ada')! });
    await makeProject(ada, 'Posters and knives');
    const where = new URL(ada.url()).pathname;
    await sayName(ada, 'Ada');
    await annotateAll(ada, 'Ada');
    await ada.getByText('No agreement figures yet').waitFor();

    const ben = await stage.visit(where, { person: people.get('Ben')!, ...phone });
    await sayName(ben, 'Ben');
    await panel(ben).waitFor();
    expect(await ben.getByText('Ada').count()).toBe(0);
    await annotateAll(ben, 'Ben');

    // 3 of 4 alike; κ: by chance (3·2 + 1·2) / 16 = 1/2; α: of 8 votes 5 are safe, 1 − (2/8) / (2·5·3 / (8·7)).
    await ada.getByRole('tab', { name: 'Agreement' }).click();
    await ada.getByText('75 %').first().waitFor();
    expect((await ada.getByRole('definition').allTextContents()).join(' ')).toMatch(
      /75 %.*0\.50 moderate.*0\.53 not reliable/s,
    );
    await ada.getByRole('cell', { name: 'Ada and Ben' }).waitFor();
    await picture(ada, 'annotation-agreement');
    await expectAccessible(ada);

    await ada.getByRole('tab', { name: 'Disputes (1)' }).click();
    const dispute = ada.getByRole('region', { name: 'Dispute about knife' });
    await dispute.waitFor();
    expect(await dispute.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/Ada.*Safe/),
      expect.stringMatching(/Ben.*Unsafe/),
    ]);
    await expectGoodLooks(ada, 'annotation-disputes');
    await dispute.getByRole('radio', { name: 'Safe', exact: true }).check();
    expect(await dispute.getByRole('button', { name: 'Settle dispute' }).isDisabled()).toBe(true);
    await dispute.getByLabel('Reason').fill('It is about a kitchen knife.');
    await dispute.getByRole('button', { name: 'Settle dispute' }).click();
    await ada.getByRole('heading', { name: 'No disputes' }).waitFor();
    await ada.getByRole('tab', { name: 'Items' }).click();
    await ada.getByRole('row', { name: /knife.*Adjudicated.*Safe/ }).waitFor();
    await picture(ada, 'annotation-items');
    await expectAccessible(ada);

    await ada.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      ada.waitForEvent('download'),
      ada.getByRole('link', { name: 'JSON Lines' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(download.suggestedFilename()).toBe('Posters_and_knives.jsonl');
    expect(lines.map(({ id, label }) => [id, label])).toEqual([
      ['poster', 'safe'],
      ['cake', 'safe'],
      ['story', 'unsafe'],
      ['knife', 'safe'],
    ]);
    expect(lines[3]!['annotation']).toMatchObject({
      state: 'adjudicated',
      agreement: 0,
      adjudication: { by: 'Ada', why: 'It is about a kitchen knife.' },
    });
  },
);
