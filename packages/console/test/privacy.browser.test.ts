import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { expectAccessible, phone, picture, useConsole } from './support/console.ts';

const text =
  'Anna Keller works at the harbour. Mail anna.k@example.org or call 0171 1234567, and tell her you will be sorry.';
const desktop = { width: 1440, height: 900 };

let panel: Awaited<ReturnType<typeof startFakePanel>>;
let id: string;
beforeAll(async () => {
  panel = await startFakePanel({
    strict: [
      { statement: 'It tells how to reach [person-1].', evidence: ['call [phone-1], and tell her'], score: 0.8 },
    ],
  });
});
afterAll(() => panel.close());

const stage = useConsole({
  start: async () => {
    const settings = panelSettings(panel);
    const { fake } = settings.providers;
    return runningServer({
      ...settings,
      seats: { ...settings.seats, 'strict-debater': 'hosted:panel-vision' },
      providers: {
        fake,
        hosted: { ...fake, baseUrl: fake.baseUrl.replace('127.0.0.1', 'localhost'), personalData: 'mask' },
      },
      models: { ...settings.models, 'hosted:panel-vision': settings.models['fake:panel-vision'] },
    });
  },
  seed: async (server) => {
    const response = await server.call('/api/jobs/moderation/cases', {
      json: { text, context: { author: 'Anna Keller' } },
    });
    ({ id } = (await response.json()) as { id: string });
  },
});

test('the record of a case says what left the machine, and to whom, in both schemes and on a phone', async () => {
  const page = await stage.visit(`/cases/${id}?tab=record`, desktop);
  const panelOf = page.locator('section', { has: page.getByRole('heading', { name: 'What left this machine' }) });
  const hosted = panelOf.locator('li', { hasText: 'hosted:panel-vision' });
  await hosted.getByText('1 mail address, 1 phone number, 1 person').waitFor();
  const local = panelOf.locator('li', { hasText: 'fake:panel-vision' });
  await local.getByText('1 mail address, 1 phone number, 1 person').waitFor();
  expect(await panelOf.textContent()).not.toContain('anna.k@example.org');
  for (const [look, scheme, size] of [
    ['light', 'light', desktop],
    ['dark', 'dark', desktop],
    ['phone', 'light', phone],
    ['phone-dark', 'dark', phone],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    await panelOf.locator('li').last().scrollIntoViewIfNeeded();
    await picture(page, `privacy-${look}`);
    await expectAccessible(page);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow), `too wide in ${look}`).toBeLessThanOrEqual(0);
  }
});

test('the prompt is shown as it was sent, and the turn as it was meant', async () => {
  const page = await stage.visit(`/cases/${id}`, desktop);
  await page.getByText('It tells how to reach Anna Keller.').first().waitFor();
  await page.getByRole('button', { name: 'What was said: Strict debater, round 1' }).click();
  const said = page.getByRole('dialog');
  await said.locator('summary', { hasText: /^Prompt/ }).click();
  const prompt = said.getByRole('group', { name: 'Prompt' });
  await prompt.getByText('Mail [mail-1] or call [phone-1]', { exact: false }).waitFor();
  expect(await prompt.textContent()).not.toContain('anna.k@example.org');
  await picture(page, 'privacy-said');
  await expectAccessible(page);
});
