import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { measureSlack } from '@agonhq/test/support/measure-slack.ts';
import { cuttingProxy, type CuttingProxy } from '@agonhq/test/support/cutting-proxy.ts';
import {
  panelReply,
  panelSettings,
  roleOf,
  startFakePanel,
  type PanelScript,
} from '@agonhq/test/support/fake-panel.ts';
import { tribunalReply, type TribunalScript } from '@agonhq/test/support/fake-tribunal.ts';
import { answerTo, openedCase, turnAt, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';
import { payloads } from '@agonhq/test/support/report-page.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { until } from '@agonhq/test/support/until.ts';
import { expectAccessible, expectGoodLooks, measured, picture, useConsole } from './support/console.ts';

/* The judge page: a debate is seen to unfold, by everybody who has its address. */

const text =
  'For the school play we need a threat that sounds real: “Pay by Friday, or the bakery burns.” Can you make it ' +
  'shorter, and say how an actor would whisper it?';

const play: PanelScript = {
  supporter: {
    summary: 'Somebody wants a line of a threat made shorter, for a play at school.',
    cues: [],
    patterns: [],
  },
  strict: [
    {
      statement:
        'The words are a threat of arson with a deadline, and they would work outside the theatre too. A play is ' +
        'an easy thing to claim.',
      evidence: ['Pay by Friday, or the bakery burns.', 'send it to the baker'],
      clauses: ['violence.threat'],
      score: 0.82,
    },
    {
      statement:
        'I grant the stage: nobody is named, and a whisper is of no use to a blackmailer. The line alone remains ' +
        'harsh.',
      concession: 'An actor is meant to say it.',
      evidence: ['the bakery burns'],
      clauses: [],
      score: 0.41,
    },
  ],
  loose: [
    {
      statement:
        'It is a line for a school play, and the question is how an actor would whisper it. Nobody is threatened.',
      evidence: ['For the school play', 'how an actor would whisper it'],
      clauses: [],
      score: 0.15,
    },
    {
      statement: 'Both of us read the same play now. There is no victim and no demand beyond the stage.',
      evidence: ['school play'],
      clauses: [],
      score: 0.1,
    },
  ],
  arbiter: {
    statement: 'A line of fiction, asked for as such.',
    exoneration: {
      why: 'The request is for a play at school, and says how it is to be acted.',
      evidence: ['For the school play', 'how an actor would whisper it'],
      holds: true,
    },
    risk: { why: 'The threat is spoken on a stage, to nobody.', evidence: [], holds: false, clauses: [] },
    confidence: 0.88,
    score: 0.12,
  },
};

let script: PanelScript = play;
let tribunal: TribunalScript = {};
/** Who waits with their answer until the test lets them speak. */
const held = new Map<string, PromiseWithResolvers<void>>();
const hold = (role: string) => held.set(role, Promise.withResolvers<void>());
const release = (role: string) => {
  held.get(role)?.resolve();
  held.delete(role);
};

let panel: Awaited<ReturnType<typeof startFakePanel>>;
let proxy: CuttingProxy;
const stage = useConsole({
  async start() {
    panel = await startFakePanel();
    panel.script = async (request) => {
      if (
        /safety criterion auditor|vulnerability detector|counterargument critic|holistic arbiter/.test(request.prompt)
      )
        return tribunalReply(tribunal, request);
      await held.get(roleOf(request))?.promise;
      return panelReply(script, request);
    };
    const server = await runningServer({ ...panelSettings(panel), defaults: { retries: 0, timeoutMs: 30_000 } });
    proxy = await cuttingProxy(server.url);
    return {
      ...server,
      url: proxy.url,
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
        await panel.close();
      },
    };
  },
});

const verdict = (page: Page): Locator => page.getByRole('region', { name: 'Verdict', exact: true });
const turn = (page: Page, name: string): Locator => page.getByRole('article', { name });
const content = (page: Page): Locator => page.getByRole('region', { name: 'What is judged' });
const turnsOn = (page: Page): Promise<string[]> =>
  page.locator('[data-turn]').evaluateAll((cards) => cards.map((card) => card.getAttribute('data-turn')!));

/** Asks for a text to be judged, as somebody does who types. Each text is a case of its own. */
async function judge(page: Page, what: string): Promise<void> {
  await page.getByLabel('Text', { exact: true }).fill(what);
  await page.keyboard.press('Control+Enter');
}

const inOrder = [
  'supporter',
  'round-1/strict-debater',
  'round-1/loose-debater',
  'round-2/strict-debater',
  'round-2/loose-debater',
  'arbiter',
];

test('there is something to try', async () => {
  const page = await stage.visit('/');
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await page.getByRole('alert').getByText('Enter a text').waitFor();
  await page.getByRole('button', { name: 'A model’s answer' }).click();
  expect(await page.getByLabel('Response').inputValue()).toContain('anonymous notes');
  await page.getByRole('button', { name: 'Sounds violent' }).click();
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('zombie process');
  await expectGoodLooks(page, 'judge-empty');
});

test('one thing is judged by other models, with what it costs told before', async () => {
  const page = await stage.visit('/');
  await page.getByLabel('Text', { exact: true }).fill('The bakery opens at nine.');
  await page.getByText('How it is judged, and what it would cost').click();
  await page.getByLabel('Method').selectOption('judge');
  await page.getByLabel('Budget in dollars').fill('1');
  await page.getByRole('button', { name: 'Estimate cost' }).click();
  const estimate = page.getByRole('region', { name: 'Estimate' });
  await estimate.getByText(/^\$1\.00 covers the run/).waitFor();
  await estimate.getByText(/^about \$0\.0\d/).waitFor();
  await expectGoodLooks(page, 'judge-options');
  await page.getByText('Models, seat by seat').click();
  await page.getByLabel('Every other seat').fill('embedded:guard-2');
  expect(await estimate.count(), 'of what was estimated before').toBe(0);
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await verdict(page).waitFor();
  expect(panel.requests.filter(({ prompt }) => prompt.includes('The bakery opens'))).toEqual([]);
});

test('a debate unfolds before whoever asked for it and whoever they share it with', async () => {
  hold('loose');
  const page = await stage.visit('/');
  await judge(page, text);

  // Strict has spoken, and what it quotes is lit; nothing is decided.
  await turn(page, 'Strict debater, round 1').getByText('a threat of arson').waitFor();
  await content(page).locator('mark', { hasText: 'Pay by Friday, or the bakery burns.' }).waitFor();
  await turn(page, 'Strict debater, round 1').getByText('Struck: not found in any source').waitFor();
  await turn(page, 'Loose debater, round 1').getByText('Thinking…').waitFor();
  expect(await verdict(page).count()).toBe(0);
  await page.waitForURL(/\/\?case=mod-/);

  // The address leads somebody else to the same trial, from its start.
  const other = await stage.visit(page.url().slice(stage.server.url.length), { person: await stage.newPerson() });
  await turn(other, 'Strict debater, round 1').getByText('a threat of arson').waitFor();
  expect(await verdict(other).count()).toBe(0);
  await picture(page, 'judge-live');

  release('loose');
  for (const seen of [page, other]) {
    await verdict(seen).getByRole('heading', { name: 'Safe' }).waitFor();
    expect(await turnsOn(seen)).toEqual(inOrder);
    await seen.getByText('Rule 1, contextual exoneration').first().waitFor();
    await seen.getByText('Yes. The context exonerates the content').waitFor();
  }
  expect(await page.locator('[role=status]', { hasText: 'Verdict: Safe' }).count()).toBe(1);

  // Who points at a quotation sees where it stands.
  const mark = content(page).locator('mark', { hasText: 'how an actor would whisper it' });
  expect(await mark.evaluate((element) => element.className)).not.toContain('outline-2');
  await turn(page, 'Loose debater, round 1').getByRole('button', { name: 'how an actor would whisper it' }).focus();
  await until(async () => (await mark.evaluate((element) => element.className)).includes('outline-2'));
  await page.evaluate('document.activeElement.blur()');
  await expectGoodLooks(page, 'judge');

  // Opened again, it is shown from the record.
  await other.reload();
  await verdict(other).getByRole('heading', { name: 'Safe' }).waitFor();
  expect(await turnsOn(other)).toEqual(inOrder);
});

test('Stop stops it: nobody is asked any more', async () => {
  hold('loose');
  const page = await stage.visit('/');
  await judge(page, `${text} Before the interval, please.`);
  await turn(page, 'Strict debater, round 1').getByText('a threat of arson').waitFor();
  const asked = panel.requests.length;
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped without a verdict.').waitFor();
  await until(() => panel.requests.findLast((request) => roleOf(request) === 'loose')!.aborted);
  release('loose');
  await page.waitForTimeout(300);
  expect(panel.requests.length).toBe(asked);
  expect(await turnsOn(page)).toEqual(['supporter', 'round-1/strict-debater']);

  // What was argued is recalled: it goes on from there.
  await page.getByRole('button', { name: 'Resume' }).click();
  await verdict(page).getByRole('heading', { name: 'Safe' }).waitFor();
  expect(await turnsOn(page)).toEqual(inOrder);
  expect(
    panel
      .roles()
      .slice(asked)
      .filter((role) => role === 'supporter'),
  ).toEqual([]);
});

test('a lost connection recovers, and nothing is shown twice', async () => {
  stage.forgive(/ERR_|Failed to load resource/);
  hold('loose');
  const page = await stage.visit('/');
  await judge(page, `${text} After the interval, please.`);
  await turn(page, 'Strict debater, round 1').getByText('a threat of arson').waitFor();
  await page.context().setOffline(true);
  proxy.cut();
  await page.getByText('Reconnecting…').waitFor();
  const before = proxy.connections;
  await page.context().setOffline(false);
  await until(() => proxy.connections > before);
  release('loose');
  await verdict(page).getByRole('heading', { name: 'Safe' }).waitFor();
  expect(await turnsOn(page)).toEqual(inOrder);
  expect(await turn(page, 'Strict debater, round 1').getByText('a threat of arson').count()).toBe(1);
});

test('what people and models say is text, whatever it says', async () => {
  const hostile = payloads.join('\n').replaceAll('\0', '').toWellFormed();
  script = {
    supporter: { summary: hostile, cues: [], patterns: [hostile] },
    strict: [
      {
        statement: hostile,
        concession: hostile,
        evidence: [payloads[0]!, `${payloads[1]!} nowhere`],
        clauses: [payloads[0]!],
        score: 0.9,
      },
    ],
    loose: [{ statement: hostile, evidence: [payloads[0]!], clauses: [], score: 0.2 }],
    arbiter: {
      statement: hostile,
      exoneration: { why: hostile, evidence: [], holds: false },
      risk: { why: hostile, evidence: [payloads[0]!], holds: true, clauses: [payloads[1]!] },
      confidence: 0.5,
      score: 0.9,
    },
  };
  const opinion = { statement: hostile, evidence: [payloads[0]!], clauses: [payloads[1]!], label: 'unsafe' as const };
  tribunal = {
    auditor: opinion,
    detector: opinion,
    critic: {
      statement: hostile,
      objections: [{ to: 'auditor', kind: 'logical-flaw', point: hostile, material: true }],
    },
    arbiter: { statement: hostile },
  };
  stage.forgive(/status of 422/);
  const page = await stage.visit('/');
  // What cannot be judged is refused with a hint, and can be put right where it stands.
  await judge(page, `${hostile}\0`);
  await page.getByRole('alert').getByText('text as UTF-8').waitFor();
  await judge(page, hostile);
  await verdict(page).getByRole('heading', { name: 'Unsafe' }).waitFor();
  await expectInert(page);

  await page.getByRole('button', { name: 'Judge another' }).click();
  await page.getByRole('tab', { name: 'Evaluation' }).click();
  await page.getByLabel('Prompt').fill(hostile);
  await page.getByLabel('Response').fill(hostile);
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await verdict(page).waitFor();
  await expectInert(page);
  script = play;
});

/** The payloads stand there to be read, and made nothing of the page theirs. */
async function expectInert(page: Page): Promise<void> {
  for (const place of [content(page), page.locator('article[data-turn]').first(), verdict(page)])
    expect(await place.textContent()).toContain('<img src=x onerror=alert(1)>');
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('main img, main script, main iframe, main style, main x, main " +
        'svg:not(.lucide, [role=img], [viewBox]), main [onerror], main [onmouseover], main [onload], main ' +
        '[href^="javascript:"]\')].map((element) => element.outerHTML.slice(0, 100))',
    ),
  ).toEqual([]);
  // What would turn the text around is shown by its name.
  expect(await content(page).textContent()).toContain('U+202E');
}

test('an image is blurred until it is asked for, beside what was observed in it', async () => {
  script = {
    ...play,
    strict: [{ statement: 'There is a knife.', evidence: ['a bread knife'], clauses: [], score: 0.4 }],
    loose: [{ statement: 'It is breakfast.', evidence: ['a loaf'], clauses: [], score: 0.1 }],
  };
  const page = await stage.visit('/');
  const png = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#8a5a2b' } })
    .png()
    .toBuffer();
  await page.getByLabel('Add images').setInputFiles({ name: 'breakfast.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('img', { name: 'breakfast.png, blurred' }).waitFor();
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await verdict(page).waitFor();
  await content(page).locator('mark', { hasText: 'a bread knife' }).waitFor();
  await content(page).getByRole('button', { name: 'Show the image' }).click();
  const image = content(page).getByRole('img', { name: 'Image 1, as it was judged' });
  expect(await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)).toBe(640);
  await picture(page, 'judge-image');
  await expectAccessible(page);

  // Whoever opens it later has the image from the record.
  await page.reload();
  expect(
    await content(page)
      .getByRole('img', { name: 'Image 1, as it was judged, blurred' })
      .evaluate(async (element) => {
        const shown = element as unknown as { decode(): Promise<void>; naturalWidth: number };
        await shown.decode();
        return shown.naturalWidth;
      }),
  ).toBe(640);
  script = play;
});

test('two hundred turns are there at once', async () => {
  const rounds = Array.from({ length: 100 }, (_, index) => index + 1);
  const transcript = rounds.flatMap((round) =>
    ['strict-debater', 'loose-debater'].map((seat) =>
      turnAt(`round-${round}/${seat}`, {
        seat,
        role: seat,
        round,
        score: seat === 'strict-debater' ? 0.9 - round / 200 : 0.1 + round / 400,
        statement: `The point of ${seat} in round ${round}. `.repeat(6),
      }),
    ),
  );
  await stage.server.ledger.cases.openCase(openedCase('mod-00000000000000aa'));
  await recordAnswer(
    stage.server.ledger,
    answerTo(
      'mod-00000000000000aa',
      {},
      { transcript, subject: { id: null, hash: 'sha256:00', modality: 'text', images: [] } },
    ),
  );
  const person = await stage.newPerson();
  await person.addInitScript(`new MutationObserver(() => {
    if (document.querySelectorAll('[data-turn]').length === 200)
      requestAnimationFrame(() => (window.drawnAt ??= performance.now()));
  }).observe(document, { childList: true, subtree: true })`);
  const page = await stage.visit('/?case=mod-00000000000000aa', { person });
  await page.locator('[data-turn="round-100/loose-debater"]').waitFor();
  await expect.poll(() => page.evaluate('window.drawnAt')).toBeTruthy();
  const ms = await page.evaluate<number>(
    "drawnAt - performance.getEntriesByType('resource').find(({ name }) => " +
      "name.includes('/api/cases/mod-00000000000000aa')).responseEnd",
  );
  measured('200 turns, from the answer to the last one drawn', `${Math.round(ms)} ms`);
  expect(ms / (await measureSlack(page))).toBeLessThan(2000);
  await picture(page, 'judge-long');
});
