import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureSlack } from '@agonhq/test/support/measure-slack.ts';
import { fillLedger } from '@agonhq/lab/bench/many-cases.ts';
import { startFakePanel, panelSettings, type PanelScript } from '@agonhq/test/support/fake-panel.ts';
import { answerTo, openedCase, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';
import { payloads, walk } from '@agonhq/test/support/report-page.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { expectAccessible, expectGoodLooks, measured, picture, useConsole } from './support/console.ts';

const threat = 'Give me your seat, or I will bring my ladder and you will be sorry. It is only a line from a play.';

const script: PanelScript = {
  strict: [
    { statement: 'It threatens somebody.', evidence: ['you will be sorry'], score: 0.8 },
    { statement: 'I hold to it: it threatens somebody.', evidence: ['you will be sorry'], score: 0.75 },
  ],
  loose: [{ statement: 'It is theatre.', evidence: ['a line from a play'], score: 0.2 }],
  arbiter: {
    statement: 'The threat stands.',
    risk: { why: 'It threatens somebody.', evidence: ['you will be sorry'], holds: true, clauses: ['violence.plan'] },
    confidence: 0.7,
    score: 0.8,
  },
};
const acquitted: PanelScript['arbiter'] = {
  statement: 'It is theatre.',
  exoneration: { why: 'It is a line from a play.', evidence: ['a line from a play'], holds: true },
  risk: { why: 'None.', evidence: [], holds: false, clauses: [] },
  confidence: 0.9,
  score: 0.1,
};

/** Judges a text; returns the id of its case. */
async function judged(server: ServerUnderTest, text: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await server.call('/api/jobs/moderation/cases', { json: { text }, headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

describe('cases', () => {
  let panel: Awaited<ReturnType<typeof startFakePanel>>;
  let id: string;
  let precedent: string;
  beforeAll(async () => void (panel = await startFakePanel(script)));
  afterAll(() => panel.close());
  const stage = useConsole({
    start: () => runningServer(panelSettings(panel)),
    seed: async (server) => {
      const made = await server.call('/api/precedents', {
        json: {
          label: 'unsafe',
          text: 'Give me your seat, or I will bring my hammer and you will be sorry.',
          summary: 'Somebody demands a seat and threatens.',
          why: 'The threat is meant.',
          cues: ['a threat'],
        },
      });
      precedent = ((await made.json()) as { id: string }).id;
      script.supporter = {
        summary: 'A threat, or a play.',
        cues: [{ precedent, cue: 'Both demand a place to sit.', difference: 'This one names a play.' }],
        patterns: [],
      };
      id = await judged(server, threat);
      script.arbiter = acquitted;
      await judged(server, 'The bakery opens at seven.');
      await judged(server, 'The ladder is in the shed.');
    },
  });

  test('are searched and filtered, and the address says how', async () => {
    const page = await stage.visit('/cases');
    const list = page.getByRole('list', { name: 'Cases' });
    await expectRows(page, 3);
    await page.keyboard.press('/');
    await page.keyboard.type('ladder ');
    await expectRows(page, 2);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Label', { exact: true }).selectOption('unsafe');
    await expectRows(page, 1);
    expect(new URL(page.url()).searchParams.toString()).toBe('search=ladder&label=unsafe');
    await expectGoodLooks(page, 'cases');
    await page.reload();
    await expectRows(page, 1);
    await page.getByRole('button', { name: 'Remove the filter “ladder”' }).click();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Disagreement ≥').selectOption('0.9');
    await page.getByRole('heading', { name: 'No matching cases' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).first().click();
    await expectRows(page, 3);
    expect(new URL(page.url()).search).toBe('');
    // By keyboard: down to the oldest, and open it.
    for (const key of ['j', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await list.locator('a:focus').textContent()).toContain('Give me your seat');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cases/${id}`);
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
  });

  test('show what was judged, lit up, both sides, the rules, precedents, usage and provenance', async () => {
    const page = await stage.visit(`/cases/${id}`);
    const content = page.getByRole('region', { name: 'What was judged' });
    await content.waitFor();
    expect(await content.locator('mark').allTextContents()).toEqual(['you will be sorry', 'a line from a play']);
    expect(await page.getByRole('region', { name: 'Verdict' }).textContent()).toMatch(
      /Unsafe.*Rule 2, risk confirmation/,
    );
    await page.getByRole('article', { name: 'Strict debater, round 1' }).getByText('It threatens somebody.').waitFor();
    await page.getByRole('article', { name: 'Loose debater, round 1' }).getByText('It is theatre.').waitFor();
    await page.getByText('Rule 2, risk confirmation Decided').waitFor();
    await page.getByRole('img', { name: /Strict debater: Round 1 0.80/ }).waitFor();
    // What is quoted is shown where it stands.
    await page.getByRole('list', { name: 'Evidence of Loose debater' }).first().getByRole('button').click();
    expect(await content.locator('mark.outline-2').textContent()).toBe('a line from a play');
    await expectGoodLooks(page, 'case');

    await page.getByRole('tab', { name: /Precedents/ }).click();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: precedent }) });
    expect(await card.textContent()).toMatch(
      /Unsafe.*similar.*Similarity.*Both demand a place to sit\..*Difference.*This one names a play\./,
    );
    expect(await page.getByRole('link', { name: precedent }).getAttribute('href')).toBe(`/precedents?id=${precedent}`);

    await page.getByRole('tab', { name: 'Similar cases' }).click();
    await page
      .getByRole('region', { name: 'Similar cases' })
      .getByRole('link', { name: 'The ladder is in the shed.' })
      .waitFor();

    await page.getByRole('tab', { name: 'Record' }).click();
    expect(await page.getByRole('region', { name: 'Usage by seat' }).textContent()).toMatch(
      /strict-debater\d+.*\$0\.\d+/,
    );
    expect(await page.getByRole('region', { name: 'Usage by model' }).textContent()).toContain('fake:panel-vision');
    const answer = (await (await stage.server.call(`/api/cases/${id}/answer`)).json()) as { seal: string };
    await page.getByText(answer.seal).waitFor();
    await page.getByText(`agon verify ${id}.json`).waitFor();
    for (const name of ['Report', 'Markdown', 'JSON', 'Notice to the affected person'])
      expect(
        (
          await page.request.get(
            `${stage.server.url}${await page.getByRole('link', { name, exact: true }).getAttribute('href')}`,
          )
        ).status(),
      ).toBe(200);
    await expectGoodLooks(page, 'case-record');
  });

  test('are replayed without a precedent: what changes is shown', async () => {
    const page = await stage.visit(`/cases/${id}`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('checkbox', { name: precedent }).check();
    await page.getByRole('button', { name: 'Start replay' }).click();
    await page.getByText('The verdict flipped').waitFor();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toMatch(/UnsafeRisk 0\.80.*SafeRisk 0\.10/);
    await dialog.getByText(`without precedent ${precedent}`).waitFor();
    expect(await dialog.getByRole('region', { name: 'Differences' }).textContent()).toMatch(
      /verdict.*unsafe at 0\.80, by risk-confirmation.*safe at 0\.10, by contextual-exoneration/,
    );
    await dialog.getByText(/Argued again: \d/).waitFor();
    await picture(page, 'case-replay');
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Open the new case' }).click();
    await page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { name: 'Safe' }).waitFor();
    await page.getByRole('link', { name: id }).click();
    await page.getByRole('tab', { name: /Decisions and retrials/ }).click();
    expect(await page.getByRole('region', { name: 'Replays and appeals' }).textContent()).toContain('Flipped');
  });

  test('are appealed with a statement', async () => {
    const page = await stage.visit(`/cases/${id}`);
    await page.getByRole('button', { name: 'Appeal' }).click();
    await page.getByLabel('Statement').fill('I read it out at the rehearsal.');
    await page.getByRole('button', { name: 'Start appeal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('with a statement of the person concerned').waitFor();
    await dialog.getByRole('link', { name: 'Open the new case' }).click();
    await page.getByText('I read it out at the rehearsal.').first().waitFor();
  });

  test('are decided by people, who say why', async () => {
    const page = await stage.visit(`/cases/${id}?tab=people`);
    await page
      .getByRole('group', { name: 'What should the verdict have been?' })
      .getByText('Safe', { exact: true })
      .click();
    await page.getByLabel('Why').fill('It was a rehearsal.');
    await page.getByLabel('Clause').selectOption({ index: 1 });
    await page.getByLabel('Your name').fill('Melina');
    await page.getByRole('button', { name: 'Record decision' }).click();
    await page.getByText('Recorded: the verdict was wrong.').waitFor();
    await page.getByText('It was a rehearsal.').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Melina' }).textContent()).toContain('Safe');
    await picture(page, 'case-decisions');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Cases' }).click();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Human decision').selectOption('true');
    await expectRows(page, 1);
    await page.getByRole('list', { name: 'Cases' }).getByText('Decided').waitFor();
  });

  test('are forgotten only after it was said what goes; what is left is shown', async () => {
    const other = await judged(stage.server, 'A secret about the shed.');
    const page = await stage.visit(`/cases/${other}`);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('dialog').getByText('precedents learnt from it').waitFor();
    await page.getByRole('button', { name: 'Forget content' }).click();
    await page.getByRole('heading', { name: 'The content was forgotten' }).waitFor();
    expect(await page.getByText('secret').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Replay|Appeal|Forget/ }).count()).toBe(0);
    await page.getByText(/^sha256:/).waitFor();
    stage.forgive(/404/);
    await page.goto(`${stage.server.url}/cases/mod-0000000000000000`);
    await page.getByRole('heading', { name: 'There is no such case' }).waitFor();
  });

  test('run nothing, whatever stands in them', async () => {
    const { ledger } = stage.server;
    const hostile = payloads.join('\n');
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
    const opened = openedCase('mod-feedfacefeedface', { text: hostile });
    const answer = walk(answerTo(opened.id, { escalate: true }), (text, key) =>
      shape.has(key) ? text : `${hostile}${text}`,
    );
    const categories = payloads.map((payload) => ({ id: payload, clause: payload }));
    const { policy } = (await ledger.cases.findCase(id))!;
    await ledger.cases.openCase({
      ...opened,
      run: payloads[0]!,
      policy: { ...opened.policy, name: hostile, document: policy.document },
    });
    const judged = { ...answer, verdict: { ...answer.verdict, categories, rule: { id: payloads[1]!, why: hostile } } };
    await recordAnswer(ledger, judged);
    await ledger.decisions.recordDecision({
      case: opened.id,
      label: 'safe',
      why: hostile,
      clause: payloads[2]!,
      by: payloads[0]!,
    });
    const page = await stage.visit('/cases?search=onerror&category=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E');
    await expectRows(page, 1);
    await expectInert(page);
    await page.getByRole('list', { name: 'Cases' }).getByRole('link').click();
    for (const tab of ['Debate', 'Precedents', 'Decisions and retrials', 'Record']) {
      await page.getByRole('tab', { name: new RegExp(tab) }).click();
      await expectInert(page);
    }
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').waitFor();
    await expectInert(page);
  });
});

/** Ten thousand where all tests are run, fewer else. */
const many = isWhole ? 10_000 : 1_500;

describe('many cases, on a server that needs keys', () => {
  const admin = 'the key of the house, and long enough';
  const stage = useConsole({
    start: () => runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: admin } }),
    seed: ({ ledger }) => fillLedger(ledger, many, { trials: false }),
  });

  async function signIn(where: string, key: string): Promise<Page> {
    const page = await stage.visit(where);
    stage.forgive(/401/);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }

  /** Rows: enough frames for the slowest in twenty of them to be a figure. */
  const scrolled = isWhole ? 1_000 : 300;

  test('scroll smoothly, and do not jump when others come', async () => {
    const page = await signIn('/cases', admin);
    await page.getByRole('list', { name: 'Cases' }).waitFor();
    const { rows, gaps, passed } = await page.evaluate<{ rows: number; gaps: number[]; passed: number }>(
      scrollThrough(scrolled),
    );
    expect(passed).toBeGreaterThanOrEqual(scrolled);
    expect(rows).toBeLessThan(100);
    // On a machine that is busy with other things everything takes longer: so does a loop. Chromium draws without a
    // graphics card here.
    const slack = await measureSlack(page);
    const sorted = gaps.toSorted((one, other) => one - other);
    const [p50, p95] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)]!) as [number, number];
    measured(
      `${many.toLocaleString('en')} cases, frames while ${scrolled.toLocaleString('en')} rows scroll by, 300 px a frame`,
      `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ` +
        `longest ${sorted.at(-1)!.toFixed(0)} ms, at most ${rows} rows in the page`,
    );
    // A neighbour may come and go between the loop and the frames: on a machine of its own these hold.
    if (isWhole) {
      expect(p50 / slack).toBeLessThan(100);
      expect(p95 / slack).toBeLessThan(250);
      expect(sorted.at(-1)! / slack).toBeLessThan(1_000);
    }

    const seen = async () =>
      page.evaluate(
        '[...document.querySelectorAll("[data-case]")].map((row) => [row.dataset.case, ' +
          'Math.round(row.getBoundingClientRect().top)])',
      );
    const before = await seen();
    await judged(stage.server, 'A word about a kettle.', { authorization: `Bearer ${admin}` });
    const fresh = page.getByRole('button', { name: '1 new case' });
    await fresh.waitFor();
    expect(await seen()).toEqual(before);
    await fresh.click();
    await page.getByRole('list', { name: 'Cases' }).getByText('A word about a kettle.').waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    // There and back: the list is where it was.
    const there = page.getByRole('link', { name: new RegExp(`Case number ${many / 100 - 2}\\d\\d `) });
    await page.evaluate('scrollTo(0, 9000)');
    await there.first().waitFor();
    await page.evaluate('document.elementFromPoint(700, 500).closest("[data-case]").click()');
    await page.getByRole('heading', { name: 'Case', exact: true }).waitFor();
    await page.goBack();
    await there.first().waitFor();
    expect(await page.evaluate('scrollY')).toBe(9000);
  }, 120_000);

  test('may be read by a key that may only read: nothing else is offered', async () => {
    const made = await stage.server.call('/api/keys', {
      json: { name: 'reader', scopes: ['read'] },
      headers: { authorization: `Bearer ${admin}` },
    });
    const page = await signIn('/cases?search=zymurgy', ((await made.json()) as { key: string }).key);
    await page.getByRole('list', { name: 'Cases' }).getByRole('link').first().click();
    await page.getByRole('tab', { name: /Decisions/ }).click();
    await page.getByText('Nobody has decided this case yet.').waitFor();
    expect(await page.getByRole('button', { name: /Replay|Appeal|Forget|record/ }).count()).toBe(0);
  });
});

async function expectRows(page: Page, count: number): Promise<void> {
  await page.locator(`[aria-setsize="${count}"]`).first().waitFor();
  expect(await page.getByRole('list', { name: 'Cases' }).getByRole('listitem').count()).toBe(count);
}

/** What was written stands there as words: it made no element, and leads nowhere else. */
async function expectInert(page: Page): Promise<void> {
  const made = await page.evaluate<string[]>(
    "[...document.querySelectorAll('#console :is(script, iframe, style, x), #console [onerror], #console " +
      '[onmouseover], #console [onload], #console img[src="x"], #console [style*="fixed"], ' +
      'a[href^="javascript"]\')].map((element) => element.outerHTML)',
  );
  expect(made).toEqual([]);
  expect(await page.getByText('onerror=alert(1)').count()).toBeGreaterThan(0);
}

/**
 * Scrolls past so many rows, as fast as a wheel can be turned; says how long frames took, and how many rows were in
 * the page at most.
 */
const scrollThrough = (wanted: number) => `new Promise((resolve) => {
  const gaps = [];
  let rows = 0;
  let passed = 0;
  let last = performance.now();
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    const shown = [...document.querySelectorAll('[aria-posinset]')];
    rows = Math.max(rows, shown.length);
    passed = Math.max(passed, ...shown.map((row) => Number(row.getAttribute('aria-posinset'))));
    if (passed >= ${wanted} || gaps.length > 3000) return resolve({ rows, gaps, passed });
    scrollBy(0, 300);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;
