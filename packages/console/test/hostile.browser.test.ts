import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hashOf } from '@agonhq/engine/hash';
import { stageRun } from '@agonhq/test/support/judged-run.ts';
import { answerTo, openedCase, precedentOf, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';
import { measuredBench } from '@agonhq/test/support/measured-bench.ts';
import { payloads, walk } from '@agonhq/test/support/report-page.ts';
import { useConsole } from './support/console.ts';

/*
 * What people, files and models say is shown on every page, and does nothing there: no script, no element, no
 * request, no page that is too wide.
 */

const hostile = payloads.join('\n');
/** What a name may be: one line of plain text. */
const name = '"><img src=x onerror=alert(1)> javascript:alert(1)';
const long = 'w'.repeat(600);
const pages = { bench: '', project: '', policy: '' };

const stage = useConsole({
  seed: async ({ ledger, call }) => {
    const made = async (where: string, options: Parameters<typeof call>[1]) => {
      const response = await call(where, options);
      expect(response.status, await response.clone().text()).toBe(201);
      return (await response.json()) as { id: string; hash: string };
    };
    const policy = JSON.stringify({
      name,
      version: '</script>',
      preamble: `<script>alert(1)</script> ${long}`,
      categories: [
        {
          id: 'hostile',
          title: name,
          clauses: [
            {
              id: 'hostile.clause',
              text: `<img src=x onerror=alert(1)> ${long}`,
              severity: 'high',
              violations: [`<svg/onload=alert(1)> ${hostile}`],
              exonerations: ['javascript:alert(1)'],
            },
          ],
        },
      ],
    });
    pages.policy = (await made('/api/policies', { json: { yaml: policy } })).hash;

    const opened = openedCase('mod-feedfacefeedface', { text: `${hostile} ${long}`, run: name });
    const shape = new Set([
      'kind',
      'job',
      'label',
      'role',
      'id',
      'key',
      'source',
      'of',
      'tool',
      'hash',
      'seal',
      'modality',
      'version',
      'precedent',
    ]);
    const { id } = (await (await call('/api/jobs/moderation/cases', { json: { text: 'Good morning' } })).json()) as {
      id: string;
    };
    const { hash: _, ...rules } = walk(
      (await ledger.cases.findCase(id))!.policy.document as Record<string, unknown>,
      (text, key) => (['title', 'text'].includes(key) ? `${name} ${long} ${text}` : text),
    );
    await ledger.cases.openCase({
      ...opened,
      policy: { ...opened.policy, name, document: { ...rules, hash: hashOf(rules) } },
    });
    await recordAnswer(
      ledger,
      walk(answerTo(opened.id, { escalate: true, categories: [{ id: name, clause: name }] }), (text, key) =>
        shape.has(key) ? text : `${hostile}${text}`,
      ),
    );

    await ledger.precedents.keepPrecedents([
      precedentOf('learnt-hostile', {
        summary: hostile,
        cues: [name, long],
        why: hostile,
        text: `${hostile} ${long}`,
        category: name,
        clause: name,
        confirmedBy: name,
        policy: { name, version: name, hash: pages.policy },
      }),
      precedentOf('proposed-hostile', {
        state: 'proposed',
        summary: hostile,
        cues: [long],
        why: hostile,
        text: hostile,
      }),
    ]);

    await stageRun(
      ledger,
      'run-hostile',
      [
        { key: name, text: `${hostile} 1`, expected: 'safe', label: 'unsafe' },
        { key: long.slice(0, 200), text: hostile, error: { code: 'model-failed', message: hostile, hint: long } },
      ],
      { name, state: 'failed', problem: hostile },
    );
    await stageRun(ledger, 'run-other', [{ key: name, text: `${hostile} 2`, expected: 'safe', label: 'safe' }], {
      name: `${name} ${long.slice(0, 80)}`,
      state: 'finished',
    });
    pages.bench = await measuredBench(ledger, { name: 'img src=x onerror=alert(1)' });

    const form = new FormData();
    for (const [field, value] of Object.entries({
      name: name.slice(0, 100),
      labels: JSON.stringify(['<b>bold</b>', 'javascript:alert(1)']),
      guidelines: `${hostile} ${long}`,
      by: name,
    }))
      form.append(field, value);
    form.append(
      'file',
      new File(
        [`${JSON.stringify({ id: name, text: `${hostile} ${long}`, prompt: hostile, response: long })}\n`],
        '"><script>.jsonl',
      ),
    );
    pages.project = (await made('/api/annotations', { method: 'POST', body: form })).id;
    for (const [by, label] of [
      [name, '<b>bold</b>'],
      ['ben', 'javascript:alert(1)'],
    ]) {
      expect(
        (
          await call(`/api/annotations/${pages.project}/items/0/vote`, {
            method: 'PUT',
            json: { by, label, why: hostile, viewed: ['text', 'prompt', 'response'] },
          })
        ).status,
      ).toBe(200);
    }
    await call('/api/keys', { json: { name, scopes: ['read'], reviewer: name } });
  },
});

/** Something of it is there to be read, made nothing of the page, and did not make it wider. */
async function expectInert(page: Page, shown: string | RegExp = 'onerror=alert(1)'): Promise<void> {
  await page.getByText(shown).first().waitFor({ state: 'attached' });
  const made = await page.evaluate<string[]>(
    "[...document.querySelectorAll('body :is(script:not([type=module]), iframe, object, embed, style, x, b), " +
      '[onerror], [onmouseover], [onload], img[src="x"], [style*="position: fixed"][onmouseover], ' +
      '[href^="javascript" i], [src^="javascript" i]\')].map((element) => element.outerHTML.slice(0, 120))',
  );
  expect(made).toEqual([]);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      `too wide at ${width}: ${page.url()}`,
    ).toBeLessThanOrEqual(0);
  }
}

test('the queue: who one is, the case, the clauses to choose from, and what comes to light', async () => {
  const page = await stage.visit('/queue');
  await page.getByLabel('Your name').fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Start reviewing/ }).waitFor();
  await expectInert(page);
  await page.goto(`${stage.server.url}/queue?case=mod-feedfacefeedface`);
  await page.getByRole('heading', { name: 'Is this safe?' }).waitFor();
  await expectInert(page);
  await page.keyboard.press('s');
  await page.keyboard.press('r');
  await page.keyboard.type(name);
  await page.keyboard.press('Control+Enter');
  await page.getByText('The machine said').first().waitFor({ state: 'attached' });
  await expectInert(page);
});

test('annotation: names, labels, guidelines, items, votes and why', async () => {
  const page = await stage.visit('/annotation');
  await expectInert(page);
  await page.goto(`${stage.server.url}/annotation/${pages.project}`);
  await expectInert(page);
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expectInert(page);
  }
});

test('precedents and proposals', async () => {
  const page = await stage.visit('/precedents?search=onerror');
  await expectInert(page);
  await page.goto(`${stage.server.url}/precedents?id=learnt-hostile`);
  await expectInert(page);
  await page.getByRole('tab', { name: 'Proposals' }).click();
  await expectInert(page);
});

test('policies: every clause with its examples, and what changed', async () => {
  const page = await stage.visit(`/policy?hash=${pages.policy}`);
  await expectInert(page);
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expectInert(page);
});

test('runs, what became of their items, two of them side by side, and benches', async () => {
  const page = await stage.visit('/evaluations');
  await expectInert(page);
  await page.goto(`${stage.server.url}/evaluations/runs/run-hostile`);
  await expectInert(page);
  await page.goto(`${stage.server.url}/evaluations/compare?before=run-hostile&after=run-other`);
  await expectInert(page);
  await page.goto(`${stage.server.url}/evaluations/benches/${pages.bench}`);
  await expectInert(page);
});

test('addresses that anybody may have written lead to a page that says so', async () => {
  stage.forgive(/status of 4\d\d/);
  const page = await stage.visit('/overview');
  const words = encodeURIComponent(`"><img src=x onerror=alert(1)>${'x'.repeat(500)}`);
  const values = [words, 'javascript%3Aalert(1)', '%5B%5D', '1e999', '%00'];
  const names = [
    'case',
    'id',
    'search',
    'label',
    'category',
    'job',
    'state',
    'tab',
    'run',
    'before',
    'after',
    'hash',
    'against',
    'since',
    'until',
    'days',
    'item',
    'claim',
    'page',
    'set',
    'of',
    'metric',
    'stage',
    '__proto__',
    'constructor',
  ];
  const places = [
    '/',
    '/cases',
    '/cases/x',
    '/queue',
    '/annotation',
    '/annotation/x',
    '/documents',
    '/documents/x',
    '/evaluations',
    '/evaluations/runs/x',
    '/evaluations/compare',
    '/evaluations/benches/x',
    '/precedents',
    '/policy',
    '/overview',
    '/nowhere',
    '//example.org/',
    `/cases/${words}`,
    '/cases/%E0%A4%A',
  ];
  for (const [number, where] of places.entries()) {
    const query = names.map((each, place) => `${each}=${values[(place + number) % values.length]}`);
    await page.goto(`${stage.server.url}${where}?${query.join('&')}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await page.getByText('This page failed to load').count(), page.url().slice(0, 200)).toBe(0);
    expect(new URL(page.url()).origin).toBe(stage.server.url);
  }
}, 120_000);
