import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { malformedJson, status } from '@agonhq/test/fake-provider/index.ts';
import { panelSettings, startFakePanel, type PanelScript } from '@agonhq/test/support/fake-panel.ts';
import { openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { expectAccessible, expectGoodLooks, phone, picture, useConsole } from './support/console.ts';

const key = 'sk-test-do-not-show-me-0123456789';
const threat = 'Give me your seat, or I will bring my ladder and you will be sorry.';
const script: PanelScript = {
  strict: [{ statement: 'It threatens somebody.', evidence: ['you will be sorry', 'not there'], score: 0.8 }],
  arbiter: {
    statement: 'The threat stands.',
    risk: { why: 'It threatens.', evidence: ['you will be sorry'], holds: true, clauses: ['violence.plan'] },
    score: 0.8,
  },
};
const desktop = { width: 1440, height: 900 };

async function judge(server: ServerUnderTest, json: object): Promise<string> {
  const response = await server.call('/api/jobs/moderation/cases', { json });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

/** Light and dark, on a desk and on a phone: accessible, and no wider than the screen. */
async function expectGoodDialog(page: Page, name: string): Promise<void> {
  for (const [look, scheme, size] of [
    ['light', 'light', desktop],
    ['dark', 'dark', desktop],
    ['phone', 'light', phone],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await picture(page, `${name}-${look}`);
    await expectAccessible(page);
    const overflow = `document.querySelector('[role=dialog]').scrollWidth - document.querySelector('[role=dialog]').clientWidth`;
    expect(await page.evaluate<number>(overflow), `${name} is too wide in ${look}`).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desktop);
}

describe('what a model was sent and said', () => {
  let panel: Awaited<ReturnType<typeof startFakePanel>>;
  let id: string;
  beforeAll(async () => {
    panel = await startFakePanel(script);
    const { script: play } = panel;
    panel.script = (request) => (request.index === 0 ? malformedJson() : play(request));
  });
  afterAll(() => panel.close());
  const stage = useConsole({
    start: () => {
      const settings = panelSettings(panel);
      return runningServer({ ...settings, providers: { fake: { ...settings.providers.fake, apiKey: key } } });
    },
    seed: async (server) => void (id = await judge(server, { text: threat })),
  });

  test('opens at each turn: prompt, raw reply, repairs, tokens, cost and time; curl without the key', async () => {
    const page = await stage.visit(`/cases/${id}`, desktop);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'What was said: Supporter' }).click();
    const dialog = page.getByRole('dialog', { name: 'What was really said: Supporter' });
    await dialog.getByRole('heading', { name: 'Asked to repair its reply' }).waitFor();
    expect(await dialog.getByRole('region', { name: /^Request/ }).count()).toBe(2);
    await expectGoodDialog(page, 'said-repaired');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'What was said: Strict debater, round 1' }).click();
    const strict = page.getByRole('dialog');
    await strict.getByText('Struck, since it is in no source').waitFor();
    await strict.getByRole('heading', { name: 'Quotes were sent back' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'What was said: Arbiter' }).click();
    const said = page.getByRole('dialog');
    await said.locator('summary', { hasText: /^Prompt/ }).click();
    await said.getByRole('group', { name: 'Prompt' }).getByText(threat, { exact: false }).waitFor();
    expect(await said.getByRole('group', { name: /^Raw reply/ }).textContent()).toContain('"The threat stands."');
    expect(await said.getByText(/\d in, \d+ out/).count()).toBe(1);
    await said.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`${panel.url}/v1/chat/completions`);
    expect(command).toContain('"authorization: Bearer $FAKE_API_KEY"');
    expect(command).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    await expectGoodDialog(page, 'said');
  });
});

describe('what the embedded model reads', () => {
  let id: string;
  const stage = useConsole({
    seed: async (server) =>
      void (id = await judge(server, { text: 'I know where you live. I will kill you tonight.' })),
  });

  test('opens at each turn with its scores and passages', async () => {
    const page = await stage.visit(`/cases/${id}`, desktop);
    await page.getByRole('button', { name: 'What was said: Arbiter' }).click();
    const reads = page.getByRole('region', { name: 'What the model reads' });
    await reads.getByText('I will kill you tonight').first().waitFor();
    expect(Number(await reads.locator('[data-risk]').first().getAttribute('data-risk'))).toBeGreaterThan(0.5);
    await expectGoodDialog(page, 'said-embedded');
  });

  test('titles have no box around them, filters wait to be asked for, and the list is what fills the page', async () => {
    const page = await stage.visit('/cases', desktop);
    await page.getByRole('link', { name: /I will kill you/ }).waitFor();
    expect(await page.getByLabel('Disagreement ≥').count()).toBe(0);
    const box = await page.getByRole('link', { name: /I will kill you/ }).boundingBox();
    expect(box!.y).toBeLessThan(320);
    await page.keyboard.press('Tab');
    await page.locator('h1').focus();
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('h1')).outlineStyle`)).toBe('none');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Disagreement ≥').waitFor();
    await expectGoodLooks(page, 'cases-filters');
  });

  test('no table is cut at 1440 pixels', async () => {
    for (const where of [
      '/evaluations',
      `/cases/${id}?tab=record`,
      `/cases/${id}?tab=similar`,
      '/policy?tab=versions',
      '/overview',
    ]) {
      const page = await stage.visit(where, desktop);
      await page.locator('h1').waitFor();
      await page.waitForTimeout(500);
      const cut = await page.evaluate<string[]>(
        `[...document.querySelectorAll('[role=region]:has(> table)')]
          .filter((region) => region.scrollWidth > region.clientWidth).map((region) => region.ariaLabel)`,
      );
      expect(cut, where).toEqual([]);
      await picture(page, `wide${where.replaceAll(/\W+/g, '-').slice(0, 30)}`);
    }
  });
});

describe('cases without a verdict', () => {
  let panel: Awaited<ReturnType<typeof startFakePanel>>;
  beforeAll(async () => {
    panel = await startFakePanel({});
    panel.script = () => status(401);
  });
  afterAll(() => panel.close());
  const stage = useConsole({
    start: () => runningServer(panelSettings(panel)),
    seed: async (server) => {
      expect(
        (await server.call('/api/jobs/moderation/cases', { json: { text: 'The key is rejected.' } })).status,
      ).not.toBe(200);
      await server.ledger.cases.openCase(openedCase('mod-killed', { text: 'Somebody killed it.' }));
      await server.ledger.cases.openCase(openedCase('mod-held', { text: 'Somebody else holds it.' }));
      const database = new DatabaseSync(path.join(server.home, 'ledger.db'));
      const before = new Date(Date.now() - 120_000).toISOString();
      database.prepare('update debates set seen_at = ? where id = ?').run(before, 'mod-killed');
      database.close();
    },
  });

  test('are interrupted when nobody works on them, and say why', async () => {
    const page = await stage.visit('/cases', desktop);
    const row = (words: string) => page.getByRole('link', { name: new RegExp(words) });
    await row('The key is rejected').waitFor();
    expect(await row('The key is rejected').textContent()).toContain('Interrupted');
    expect(await row('Somebody killed it').textContent()).toContain('Interrupted');
    expect(await row('Somebody else holds it').textContent()).toContain('Being judged');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Label', { exact: true }).selectOption('interrupted');
    await row('Somebody else holds it').waitFor({ state: 'detached' });
    await row('The key is rejected').click();
    await page.getByRole('heading', { name: 'Judging was interrupted' }).waitFor();
    await page.getByText('wrong-key').waitFor();
    await expectGoodLooks(page, 'case-interrupted');
  });
});

describe('an image that holds words', () => {
  const words = 'I will kill you tonight';
  let id: string;
  const stage = useConsole({
    seed: async (server) => {
      const drawn = `<svg width="900" height="300"><rect width="900" height="300" fill="white"/><text x="40" y="170"
        font-family="DejaVu Sans" font-size="64">${words}</text></svg>`;
      const data = (await sharp(Buffer.from(drawn)).png().toBuffer()).toString('base64');
      id = await judge(server, { images: [{ data, name: 'note.png' }] });
    },
  });

  test('is listed by them, and shows what decided without scrolling', async () => {
    const page = await stage.visit('/cases', desktop);
    await page.getByRole('link', { name: new RegExp(words, 'i') }).click();
    const read = page.getByText('Text in the image', { exact: false }).first();
    await read.waitFor();
    expect((await read.boundingBox())!.y).toBeLessThan(desktop.height - 60);
    await picture(page, 'image-with-words');
    expect(await page.getByText('“”').count()).toBe(0);
    const { rows } = (await (await stage.server.call('/api/queue')).json()) as {
      rows: { id: string; excerpt: string }[];
    };
    expect(rows.find((row) => row.id === id)?.excerpt ?? words).toMatch(new RegExp(words, 'i'));
  });
});
