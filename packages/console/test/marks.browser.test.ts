import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { measureBench, renderBenchMarkdown, type ModerationReport } from '@agonhq/bench';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { expectAccessible, expectGoodLooks, phone, useConsole } from './support/console.ts';

/* Marks: two people tag a post, mark words and a region of its image, disagree, and a bench reads what came of it. */

const stage = useConsole();

const text = 'Bring petrol on Friday. We will burn the old library down, and nobody will stop us.';
const rows = [
  { id: 'post', text, image: 'poster.png' },
  { id: 'cake', text: 'The cake comes out of the oven at five.' },
];
const dataset = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const poster = () =>
  sharp(
    Buffer.from(
      `<svg width="1200" height="800"><rect width="1200" height="800" fill="#12355b"/>
      <circle cx="420" cy="360" r="170" fill="#f2b134"/><rect x="760" y="220" width="260" height="300" fill="#c8553d"/>
      <text x="600" y="700" font-size="80" fill="white" text-anchor="middle">FRIDAY, NINE</text></svg>`,
    ),
  )
    .png()
    .toBuffer();

const tags = ['violence.plan', 'harassment.target'];
const panel = (page: Page) => page.getByRole('group', { name: 'Your vote' });
const marksOf = async (page: Page) =>
  (await page.getByRole('list', { name: 'Marks' }).getByRole('listitem').allTextContents()).map((words) =>
    words.trim(),
  );

async function sayName(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await panel(page).waitFor();
}

/** Looks at every part of the item that is shown. */
async function viewAll(page: Page): Promise<void> {
  if ((await page.getByText('Show it first').count()) > 0) await page.keyboard.press('b');
  for (const part of ['Image', 'Text']) {
    const shown = page.getByRole('region', { name: part, exact: true });
    if ((await shown.count()) === 0) continue;
    await shown.getByRole('group', { name: part, exact: true }).scrollIntoViewIfNeeded();
    await shown.getByText('Viewed').waitFor();
  }
}

/** Selects words of the text as a mouse does, from their first letter to their last. */
async function selectWords(page: Page, words: string): Promise<void> {
  const ends = await page.evaluate<{ x: number; y: number }[]>(
    `((words) => {
      const frame = document.querySelector('[role=group][aria-label=Text]');
      const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
      let all = '';
      const places = [];
      while (walker.nextNode())
        for (const [at, letter] of [...walker.currentNode.data].entries()) {
          places.push([walker.currentNode, at]);
          all += letter;
        }
      const start = all.indexOf(words);
      return [[start, 'left'], [start + words.length - 1, 'right']].map(([at, side]) => {
        const range = document.createRange();
        range.setStart(places[at][0], places[at][1]);
        range.setEnd(places[at][0], places[at][1] + 1);
        const box = range.getBoundingClientRect();
        return { x: box[side], y: box.top + box.height / 2 };
      });
    })(${JSON.stringify(words)})`,
  );
  await page.mouse.move(ends[0]!.x, ends[0]!.y);
  await page.mouse.down();
  await page.mouse.move((ends[0]!.x + ends[1]!.x) / 2, ends[1]!.y);
  await page.mouse.move(ends[1]!.x, ends[1]!.y);
  await page.mouse.up();
}

test(
  'two people mark words and regions, by mouse and by keyboard; their dispute is settled, and a bench reads the export',
  { timeout: 300_000 },
  async () => {
    const ada = await stage.visit('/annotation', { person: await stage.newPerson(), width: 1440 });
    await ada.getByRole('button', { name: 'New project' }).click();
    const dialog = ada.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles([
      { name: 'posts.jsonl', mimeType: 'application/jsonl', buffer: dataset },
      { name: 'poster.png', mimeType: 'image/png', buffer: await poster() },
    ]);
    await dialog.getByLabel('Name').fill('Marked posts');
    await dialog.getByLabel('Also ask for tags, severity and marks').check();
    await dialog.getByRole('textbox', { name: 'Tags' }).fill(tags.join(', '));
    await expectGoodLooks(ada, 'marks-new');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await ada.getByRole('heading', { level: 1, name: 'Marked posts' }).waitFor();
    const where = new URL(ada.url()).pathname;
    await sayName(ada, 'Ada');
    await viewAll(ada);

    // Words by mouse.
    await selectWords(ada, 'burn the old library down');
    await ada.getByRole('button', { name: 'Mark “burn the old library down”' }).click();
    expect(await marksOf(ada)).toEqual(['1. burn the old library down violence.plan']);
    // Words by keyboard, over the same: nine words on, then two more with Shift.
    await ada.getByLabel('Mark as').selectOption('harassment.target');
    await ada.getByRole('group', { name: 'Text', exact: true }).focus();
    await ada.keyboard.press('Escape');
    for (let word = 0; word < 9; word += 1) await ada.keyboard.press('Control+ArrowRight');
    for (let word = 0; word < 2; word += 1) await ada.keyboard.press('Control+Shift+ArrowRight');
    await ada.getByText('Selected: library down').waitFor({ state: 'attached' });
    await ada.keyboard.press('Enter');
    expect(await marksOf(ada)).toEqual([
      '1. burn the old library down violence.plan',
      '2. library down harassment.target',
    ]);
    expect(await ada.locator('mark[data-marks="2"]').textContent()).toBe('library down');

    // A region by mouse, moved and sized by keyboard.
    await ada.getByLabel('Mark as').selectOption('violence.plan');
    const layer = (await ada.locator('[data-regions]').boundingBox())!;
    const at = (x: number, y: number) => [layer.x + x * layer.width, layer.y + y * layer.height] as const;
    await ada.mouse.move(...at(0.2, 0.2));
    await ada.mouse.down();
    await ada.mouse.move(...at(0.3, 0.4));
    await ada.mouse.move(...at(0.5, 0.7));
    await ada.mouse.up();
    const region = ada.getByRole('button', { name: /^Region 3, violence\.plan/ });
    expect(await region.getAttribute('aria-label')).toMatch(/20 % from the left, 20 % from the top, 30 % by 50 %/);
    await region.focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowUp'])
      await ada.keyboard.press(key);
    expect(await region.getAttribute('aria-label')).toMatch(/21 % from the left, 21 % from the top, 32 % by 49 %/);
    await ada.getByLabel('Severity').selectOption('high');
    expect(await ada.getByRole('checkbox', { name: /harassment\.target/ }).isDisabled()).toBe(true);
    await panel(ada).getByRole('radio', { name: 'Unsafe', exact: true }).check();
    await expectGoodLooks(ada, 'marks-vote');
    await ada.getByRole('button', { name: /^Submit/ }).click();
    await ada.getByText('You voted unsafe on post.').waitFor();

    // They are there again after a reload.
    await ada.goto(`${stage.server.url}${where}?item=0`);
    await ada.getByRole('list', { name: 'Marks' }).waitFor();
    expect(await marksOf(ada)).toEqual([
      '1. burn the old library down violence.plan',
      '2. library down harassment.target',
      '3. Region: 21 % from the left, 21 % from the top, 32 % by 49 % violence.plan',
    ]);
    expect(await ada.locator('mark').allTextContents()).toEqual(['burn the old ', 'library down']);
    await ada.keyboard.press('b');
    await ada.getByRole('button', { name: /^Region 3.*21 % from the left/ }).waitFor();

    // Another person, on a phone and by keyboard alone: other tags, another severity.
    const ben = await stage.visit(`${where}?item=0`, { person: await stage.newPerson(), ...phone });
    await sayName(ben, 'Ben');
    expect(await ben.getByText('library down harassment.target').count()).toBe(0);
    await viewAll(ben);
    await ben.getByRole('button', { name: 'Add region' }).click();
    await ben.getByRole('button', { name: /^Region 1/ }).focus();
    for (let times = 0; times < 10; times += 1) await ben.keyboard.press('ArrowLeft');
    await selectWords(ben, 'burn the old library');
    await ben.getByRole('button', { name: /^Mark “burn/ }).click();
    await ben.getByLabel('Severity').selectOption('critical');
    await panel(ben).getByRole('radio', { name: 'Unsafe', exact: true }).check();
    await ben.getByRole('button', { name: /^Submit/ }).click();
    await ben.getByText('All votes on this item are in.').first().waitFor();
    // The cake is harmless to both.
    for (const page of [ada, ben]) {
      await page.goto(`${stage.server.url}${where}?item=1`);
      await panel(page).waitFor();
      await viewAll(page);
      await panel(page).getByRole('radio', { name: 'Safe', exact: true }).check();
      await page.getByRole('button', { name: /^Submit/ }).click();
      await page.getByText('You voted safe on cake.').waitFor();
    }

    await ada.getByRole('tab', { name: 'Agreement' }).click();
    await ada.getByRole('heading', { name: 'Tags, severity and marks' }).waitFor();
    // 25 + 12 characters of Ada, 20 of Ben, 20 of them in common.
    await ada.getByText('70.2 %').first().waitFor();
    await ada.getByRole('row', { name: /harassment\.target.*1.*50 %/ }).waitFor();
    await expectGoodLooks(ada, 'marks-agreement');

    await ada.getByRole('tab', { name: 'Disputes (1)' }).click();
    const dispute = ada.getByRole('region', { name: 'Dispute about post' });
    await dispute.waitFor();
    await dispute.getByRole('button', { name: /^Show the image/ }).click();
    await dispute.getByText('Viewed').first().waitFor();
    await dispute.getByRole('img', { name: /^Region 3/ }).waitFor();
    await dispute.getByRole('img', { name: /^Region 1/ }).waitFor();
    expect(await dispute.getByRole('group', { name: 'Marks in the text' }).locator('mark').allTextContents()).toEqual([
      'burn the old ',
      'library down',
      'burn the old library',
    ]);
    await ada.evaluate("document.querySelector('[role=tablist]').scrollIntoView()");
    await expectGoodLooks(ada, 'marks-disputes');
    await dispute.getByRole('button', { name: 'Start from what Ben found' }).click();
    expect(await marksOf(ada)).toHaveLength(2);
    await dispute.getByLabel('Reason').fill('It is a plan; nobody in particular is its target.');
    await dispute.getByRole('button', { name: 'Settle dispute' }).click();
    await ada.getByRole('heading', { name: 'No disputes' }).waitFor();
    await ada.getByRole('tab', { name: 'Items' }).click();
    await ada.getByRole('row', { name: /post.*Adjudicated.*violence\.plan \(critical\), 2 marks/ }).waitFor();
    await expectAccessible(ada);

    await ada.getByRole('button', { name: 'Export' }).click();
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-marks-'));
    try {
      await writeFile(path.join(folder, 'poster.png'), await poster());
      for (const [link, file] of [
        ['JSON Lines', 'posts.jsonl'],
        ['CSV', 'posts.csv'],
      ] as const) {
        const [download] = await Promise.all([
          ada.waitForEvent('download'),
          ada.getByRole('link', { name: link }).click(),
        ]);
        await download.saveAs(path.join(folder, file));
        await expectMeasured(path.join(folder, file));
      }
      const [first] = (await readFile(path.join(folder, 'posts.jsonl'), 'utf8')).split('\n');
      expect(JSON.parse(first!)).toMatchObject({
        id: 'post',
        label: 'unsafe',
        clauses: ['violence.plan'],
        severity: 'critical',
        spans: [{ quote: 'burn the old library', tag: 'violence.plan' }],
        regions: [{ image: 'poster.png', x: 0.23, y: 0.33, width: 0.34, height: 0.34 }],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

/** Runs a bench on an export, before a panel that names the clause and quotes half of what was marked. */
async function expectMeasured(file: string): Promise<void> {
  const provider = await startFakePanel({
    arbiter: {
      risk: { why: 'A plan.', evidence: ['burn the old'], holds: true, clauses: ['violence.plan'] },
      score: 0.9,
    },
  });
  try {
    const [set] = await measureBench(
      {
        name: 'marks',
        title: 'marks',
        parameters: { seed: 1, repeats: 1, invalid: 'error' },
        concurrency: 2,
        sets: [
          {
            job: 'moderation',
            title: 'Marked posts',
            file,
            systems: ['full'],
            rounds: [],
            agents: [],
            trained: [],
            published: [],
            settings: panelSettings(provider),
          },
        ],
      },
      { ledger: null, watch: (_about, work) => work({}) },
    );
    const { grounds } = (set!.report as ModerationReport).systems[0]!;
    expect(grounds).toMatchObject({
      clauses: { items: 1, named: { value: 1 } },
      severity: { items: 1 },
      // 12 characters, all of them among the 20 that were marked.
      evidence: { items: 1, f1: { value: expect.closeTo(24 / 32, 9) as number } },
    });
    expect(renderBenchMarkdown([set!], { title: 'marks', times: false })).toContain('Evidence overlap');
  } finally {
    await provider.close();
  }
}
