import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { Analysis } from '@agonhq/documents';
import { hashOf } from '@agonhq/engine/hash';
import { json, startFakeProvider, type FakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { hostileAnalysis, quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import {
  boardClaimOf,
  boardReply,
  boardroomSettings,
  boardSeatOf,
  type BoardScript,
} from '@agonhq/test/support/fake-boardroom.ts';
import { openedCase, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';
import { figuresXlsx } from '@agonhq/test/support/report-files.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { expectAccessible, expectGoodLooks, measured, picture, useConsole } from './support/console.ts';

/* Documents: a report is analysed live, and every citation leads to the words or the cells that it cites. */

/** Pages of a long document. */
const long = isWhole ? 300 : 60;

const driver = 'The campaign was the main driver of growth in Europe.';
const growth = 'Revenue in APAC grew by 51 % from Q2 2024 to Q3 2024.';
const words = 'main driver of growth';
const struck = 'Nobody bought anything because of the campaign.';
const line = { before: `${growth} The campaign was the `, x: 72, y: 160, size: 9 };

/** A report in which it is known where the words stand: two sentences on one line, and one on the second page. */
interface Report {
  bytes: Uint8Array;
  /** In points, from the upper left corner of the page. */
  place: { x: number; width: number; y: number; height: number };
}

async function drawReport(): Promise<Report> {
  const place = { x: 0, width: 0, y: line.y, height: line.size };
  const bytes = await drawnPdf((pdf) => {
    pdf
      .font('Helvetica-Bold')
      .fontSize(18)
      .text('Sales report, third quarter of 2024', line.x, 90, { lineBreak: false });
    pdf.font('Helvetica').fontSize(line.size);
    pdf.text(`${growth} ${driver}`, line.x, line.y, { lineBreak: false });
    place.x = line.x + pdf.widthOfString(line.before);
    place.width = pdf.widthOfString(words);
    pdf.text('A weaker currency also lifted reported revenue.', line.x, line.y + 40, { lineBreak: false });
    pdf.addPage().text('Customers named the campaign as their reason to buy.', line.x, 300, { lineBreak: false });
  });
  return { bytes, place };
}

const script: BoardScript = {
  'factor-agent': {
    claims: [
      { claim: driver, quote: driver, kind: 'causal', domain: 'sales', importance: 0.9 },
      { claim: growth, quote: growth, kind: 'assertion', domain: 'sales', importance: 0.8 },
    ],
  },
  opening: {
    statement: 'The report names it.',
    premises: [
      { premise: 'The report says that it was the driver.', evidence: [words] },
      { premise: 'Customers confirm it.', evidence: ['Customers named the campaign as their reason to buy.'] },
    ],
    score: 0.8,
  },
  'cross-examination': {
    statement: 'There is another explanation.',
    attacks: [
      {
        premise: 1,
        kind: 'alternative-explanation',
        point: 'The currency lifted revenue, too.',
        evidence: ['A weaker currency also lifted reported revenue.'],
        missing: [],
      },
      { premise: 2, kind: 'contradiction', point: 'Customers say otherwise.', evidence: [struck], missing: [] },
    ],
    score: 0.4,
  },
  rebuttal: {
    statement: 'The campaign mattered more.',
    replies: [
      { attack: 1, concedes: true, point: 'It did, in part.', evidence: [] },
      { attack: 2, concedes: false, point: 'Nobody says that.', evidence: [words] },
    ],
    score: 0.7,
  },
  synthesis: (request) =>
    json(
      boardClaimOf(request)?.includes('campaign')
        ? {
            statement: 'It says so, and the currency helped.',
            support: { why: 'It is said.', evidence: [words], holds: true, strength: 'full' },
            contradiction: { why: 'No.', evidence: [], holds: false },
            standing: [1],
            confidence: 0.7,
            score: 0.6,
          }
        : {
            statement: 'It is said.',
            support: { why: 'It is said.', evidence: [growth], holds: true, strength: 'full' },
            contradiction: { why: 'No.', evidence: [], holds: false },
            standing: [],
            confidence: 0.9,
            score: 0.8,
          },
    ),
};

/** The verdict on growth waits until the test lets it go. */
const held = Promise.withResolvers<void>();
let board: FakeProvider;
const stage = useConsole({
  async start() {
    board = await startFakeProvider(async (request) => {
      if (boardSeatOf(request) === 'synthesis' && boardClaimOf(request) === growth) await held.promise;
      return boardReply(script, request);
    });
    return runningServer({ ...boardroomSettings(board), defaults: { retries: 0, timeoutMs: 20_000 } });
  },
});
afterAll(() => board?.close());

async function analysed(
  server: ServerUnderTest,
  files: Record<string, Uint8Array<ArrayBuffer>>,
  factor: string,
): Promise<string> {
  const form = new FormData();
  for (const [name, bytes] of Object.entries(files)) form.append('file', new Blob([bytes]), name);
  form.append('factors', factor);
  const answer = await server.call('/api/jobs/documents/cases', { body: form });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** An analysis on record whose files are not kept. */
async function recorded(server: ServerUnderTest, analysis: Analysis): Promise<string> {
  const { id, documents } = analysis;
  await server.ledger.cases.openCase(
    openedCase(id, {
      job: 'documents',
      subject: {
        hash: hashOf(documents.map(({ hash }) => hash)),
        content: { documents, factors: null, maxFactors: 12 },
      },
    }),
  );
  await recordAnswer(server.ledger, analysis);
  return id;
}

/** Hostile in all that is free text: labels that Agon does not have are not read from the ledger at all. */
function withKnownLabels(analysis: Analysis): Analysis {
  const checked = (numbers: Analysis['numbers']) => numbers.map((finding) => ({ ...finding, check: 'sum' as const }));
  const claims = analysis.claims.map((claim) => ({
    ...claim,
    subject: { ...claim.subject, kind: 'assertion' as const },
    verdict: { ...claim.verdict, label: 'undecided' as const },
    numbers: checked(claim.numbers),
  }));
  const { outlook, numbers } = analysis;
  return { ...analysis, claims, numbers: checked(numbers), outlook: { ...outlook, label: 'undecided' } };
}

const drawn = (page: Page, number: number) => page.locator(`[data-page="${number}"][data-drawn]`);
const citation = (page: Page, name: string | RegExp) => page.locator('[data-citation]', { hasText: name });

const toItsEnd = (page: Page) => page.evaluate(`document.querySelector('[data-viewer="pdf"]').scrollTo(0, 1e9)`);

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  expect(box).not.toBeNull();
  return box!;
}

describe('documents', () => {
  test('are analysed live, and each citation leads to its words, each number to its cells', async () => {
    const { bytes, place } = await drawReport();
    const page = await stage.visit('/documents');
    await page.getByText('No analyses yet').waitFor();
    await expectGoodLooks(page, 'documents-empty');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from(bytes) },
      { name: 'figures.xlsx', mimeType: 'application/octet-stream', buffer: await figuresXlsx() },
    ]);
    await page.getByRole('button', { name: 'Analyse 2 files' }).click();

    // Claims appear before they are judged; then the verdicts come.
    await page.locator('[data-live-claim="mixed"]').filter({ hasText: driver }).waitFor();
    await page.locator('[data-live-claim="open"]').filter({ hasText: growth }).waitFor();
    await page.getByText('Debating claims: 1 of 2 judged').waitFor();
    await expectGoodLooks(page, 'documents-live');
    held.resolve();
    await page.getByRole('heading', { level: 1, name: 'report.pdf, figures.xlsx' }).waitFor();
    await drawn(page, 1).waitFor();
    await picture(page, 'document-claims');

    const first = page.locator('[data-claim="1"]');
    await first.getByRole('button', { name: /Claim 1/ }).click();
    await first.getByText('Attack 1 on premise 1: alternative explanation').waitFor();
    await first.getByText('Concedes attack 1').waitFor();
    await first.getByText('How the rules were applied').click();
    await first.getByText(/a material attack stands: yes, so it is mixed/i).waitFor();

    // The mark lies on the words that were drawn there.
    await citation(page, `“${words}”`).first().click();
    await page.locator('[data-page="1"] [data-mark][data-active]').waitFor();
    await expect
      .poll(async () => {
        const [mark, sheet] = [
          await boxOf(page.locator('[data-page="1"] [data-mark][data-active]')),
          await boxOf(page.locator('[data-page="1"]')),
        ];
        const scale = sheet.width / 612;
        const off = {
          left: (mark.x - sheet.x) / scale - place.x,
          right: (mark.x + mark.width - sheet.x) / scale - (place.x + place.width),
          top: (mark.y - sheet.y) / scale - place.y,
          bottom: (mark.y + mark.height - sheet.y) / scale - (place.y + place.height),
        };
        return Object.values(off).every((points) => Math.abs(points) < 6) ? 'on the words' : JSON.stringify(off);
      })
      .toBe('on the words');
    await picture(page, 'document-citation');

    // A place on another page is scrolled to.
    await citation(page, 'Customers named the campaign').first().click();
    await page.locator('[data-page="2"] [data-mark][data-active]').waitFor();
    const [viewer, far] = [
      await boxOf(page.locator('[data-viewer="pdf"]')),
      await boxOf(page.locator('[data-page="2"] [data-mark][data-active]')),
    ];
    expect(far.y > viewer.y && far.y < viewer.y + viewer.height).toBe(true);

    // What is in no source is struck, and leads nowhere.
    expect(await first.locator('s').first().textContent()).toBe(struck);
    await first.getByText('Struck: not found in the dossier, so it does not count.').first().waitFor();

    // By the keyboard to the next claim, and from its arithmetic to the cells.
    await page.keyboard.press('j');
    const second = page.locator('[data-claim="2"]');
    await second
      .getByText(/4\.6 . 4.*= 15 %, stated 51 %/)
      .first()
      .waitFor();
    await citation(page, 'sheet Revenue, C2').first().click();
    await page.locator('[data-cell="C2"][data-active]').waitFor();
    expect(await page.locator('[data-cell="C2"]').textContent()).toBe('4.6');
    expect(await page.getByRole('tab', { name: 'figures.xlsx' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('[data-cell="A3"]').count(), 'what is not cited is not marked').toBe(0);
    await picture(page, 'document-cells');

    // The address holds where the reader is: whoever is given it sees the same.
    const shared = new URL(page.url());
    const other = await stage.visit(`${shared.pathname}${shared.search}`);
    await other.locator('[data-cell="C2"][data-active]').waitFor();
    await expectGoodLooks(other, 'document-claim');
    await other.getByRole('button', { name: /^Numbers/ }).click();
    await other.getByText('Conflict', { exact: true }).first().waitFor();
    await expectAccessible(other);
    await picture(other, 'document-numbers');
  }, 120_000);

  test('are read with the keyboard: n and p go from citation to citation, Enter leads back to the words', async () => {
    const { bytes } = await drawReport();
    const id = await analysed(stage.server, { 'keys.pdf': new Uint8Array(bytes) }, driver);
    const page = await stage.visit(`/documents/${id}?claim=1`);
    await drawn(page, 1).waitFor();
    await page.keyboard.press('n');
    await page.locator('[data-citation][aria-current]').waitFor();
    const active = () => page.locator('[data-citation][aria-current]').getAttribute('data-citation');
    const before = await active();
    await page.keyboard.press('n');
    await expect.poll(active).not.toBe(before);
    await page.keyboard.press('p');
    await expect.poll(active).toBe(before);
    await toItsEnd(page);
    await drawn(page, 2).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-page="1"] [data-mark][data-active]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-claim="1"] [aria-expanded="false"]').waitFor();
  });

  test(`of ${long} pages open in less than three seconds, and draw only what is looked at`, async () => {
    const bytes = await drawnPdf((pdf) => {
      for (let number = 1; number <= long; number += 1) {
        if (number > 1) pdf.addPage();
        for (let at = 0; at < 12; at += 1)
          pdf
            .fontSize(10)
            .text(
              `In chapter ${number}, the revenue of segment ${at} came to ${1000 + number * 7 + at} million ` +
                'dollars in 2024.',
            );
      }
    });
    const id = await analysed(
      stage.server,
      { 'long.pdf': new Uint8Array(bytes) },
      'The revenue of segment 3 came to 3103 million dollars.',
    );
    const short = await analysed(
      stage.server,
      { 'short.pdf': new Uint8Array(await drawnPdf((pdf) => void pdf.text('Revenue came to 3103 million dollars.'))) },
      'Revenue came to 3103 million dollars.',
    );
    const page = await stage.visit('/documents');
    const opened = async (analysis: string) => {
      await page.goto(`${stage.server.url}/documents`);
      const link = page.locator(`a[href="/documents/${analysis}"]`);
      await link.waitFor();
      const began = performance.now();
      await link.click();
      await drawn(page, 1).waitFor();
      return performance.now() - began;
    };
    // On a machine that has other work, four times as long as a single page takes it.
    const single = await opened(short);
    const tookMs = await opened(id);
    measured(
      `a PDF of ${long} pages, from the click to its first page`,
      `${Math.round(tookMs)} ms (one of a single page: ${Math.round(single)} ms)`,
    );
    expect(tookMs, `a single page took ${Math.round(single)} ms`).toBeLessThan(Math.max(3_000, 4 * single));
    await page.getByText(`1 of ${long}`).waitFor();
    await toItsEnd(page);
    await drawn(page, long).waitFor();
    expect(await page.locator('canvas').count()).toBeLessThan(8);
  }, 120_000);

  test('whose files are not kept are shown by their text, with the same marks', async () => {
    const id = await recorded(stage.server, quarterlyAnalysis);
    const page = await stage.visit(`/documents/${id}?claim=1`);
    await page.getByText('The original file is not stored').waitFor();
    await page.locator('[data-viewer="blocks"] [data-mark][data-active]').first().waitFor();
    await expectGoodLooks(page, 'document-text');
  });

  test('that are hostile stay text', async () => {
    const id = await recorded(stage.server, withKnownLabels(hostileAnalysis));
    const page = await stage.visit(`/documents/${id}?claim=1`);
    await page.locator('[data-claim="1"]').waitFor();
    for (const part of ['Numbers', 'Brief', 'About'])
      await page.getByRole('button', { name: new RegExp(`^${part}`) }).click();
    expect(await page.locator('#content script, #content iframe, #content img, #content object').count()).toBe(0);
  });

  test('that cannot be read are refused with what to do', async () => {
    stage.forgive(/422/);
    const page = await stage.visit('/documents');
    await page.locator('input[type=file]').setInputFiles({
      name: 'report.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\nnothing more'),
    });
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.getByRole('alert').getByText('corrupt-document').waitFor();
    await page.getByText('Choose files, or drop them here').waitFor();
  });
});
