import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '@agonhq/test/fake-provider/index.ts';
import { panelSettings, startFakePanel, type PanelScript } from '@agonhq/test/support/fake-panel.ts';
import { createAgon } from '@agonhq/core/app';
import { readAnswer, sealAnswer } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { Content, ModerationAnswer } from './index.ts';
import { defaultPolicy, type Policy } from '@agonhq/engine/policy';
import { verifyAnswer } from './verify-answer.ts';

const post = 'Buy guns here, no papers needed.\nMeet me behind the station.';
const script: PanelScript = {
  strict: [{ evidence: ['Buy guns here', 'never said'], score: 0.9 }],
  arbiter: {
    risk: { why: 'A sale of weapons.', evidence: ['no papers needed'], holds: true, clauses: ['weapons'] },
    confidence: 0.9,
    score: 0.9,
  },
};

let policy: Policy;
let unsafe: ModerationAnswer;
beforeAll(async () => {
  policy = await defaultPolicy();
  unsafe = await judged(script, post);
});

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
});

async function judged(said: PanelScript, content: string | Content): Promise<ModerationAnswer> {
  const panel = await startFakePanel(said);
  const agon = await createAgon(panelSettings(panel), { environment: {}, secret: 'test' });
  closers.push(panel.close, agon.close);
  return agon.moderate(content);
}

/** A changed copy, as a forger would leave it: `reseal` also writes a new seal. */
function forged(change: (answer: any) => void, { reseal }: { reseal: boolean }): ModerationAnswer {
  const copy = JSON.parse(JSON.stringify(unsafe)) as ModerationAnswer;
  change(copy);
  return reseal ? sealAnswer(copy) : copy;
}

const wrong = (answer: ModerationAnswer, known: Parameters<typeof verifyAnswer>[1] = { policy }) =>
  verifyAnswer(answer, known)
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ name }) => name);

describe('an answer that nobody touched holds', () => {
  test('also after it went through its JSON', () => {
    const read = readAnswer(JSON.stringify(unsafe), 'answer.json');
    expect(verifyAnswer(read, { policy, source: post }).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'seal ok',
      'quotations ok',
      'subject ok',
      'source ok',
      'rules ok',
      'clauses ok',
      'marks ok',
      'action ok',
    ]);
  });

  test('also where the score contradicts the rule', async () => {
    const contradicted = await judged({ ...script, arbiter: { ...script.arbiter, score: 0.2 } }, post);
    expect(contradicted.verdict.degraded.at(-1)!.detail).toBe('risk 0.2 against a bar of 0.5, and yet unsafe');
    expect(wrong(contradicted)).toEqual([]);
  });

  test('whoever decided: a rule, the panel, or nobody', async () => {
    const exonerated = { exoneration: { why: 'A report.', evidence: ['Buy guns'], holds: true } };
    for (const said of [
      { arbiter: exonerated },
      {},
      { ...script, arbiter: refusal() },
      { strict: [refusal()], loose: [refusal()], supporter: refusal(), arbiter: refusal() },
    ]) {
      expect(wrong(await judged(said, post))).toEqual([]);
    }
  });

  test('with images that were described, and with one that could not be seen', async () => {
    expect(wrong(await judged(script, { text: post, images: [{ description: 'A rifle on a table.' }] }))).toEqual([]);
    const { default: sharp } = await import('sharp');
    const data = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const unseen = await judged(
      { ...script, preprocessor: refusal() },
      { text: post, images: [{ data, name: 'red.png' }] },
    );
    expect(unseen.verdict.degraded.map(({ kind }) => kind)).toContain('unseen-image');
    expect(wrong(unseen)).toEqual([]);
  });
});

describe('what was changed afterwards shows, even under a new seal', () => {
  test.each<[string, (answer: any) => void, string[]]>([
    ['the label', (answer) => (answer.verdict.label = 'safe'), ['rules']],
    ['the rule', (answer) => (answer.verdict.rule.id = 'default-safety'), ['rules']],
    ['why it was decided', (answer) => (answer.verdict.rule.why = 'Because.'), ['rules']],
    ['the risk', (answer) => (answer.verdict.risk = 0.1), ['rules']],
    ['the bar', (answer) => (answer.verdict.bar = 0.1), ['rules']],
    [
      'a quotation of the verdict',
      (answer) => (answer.verdict.evidence[0].quote = 'papers needed'),
      ['quotations', 'rules'],
    ],
    [
      'a quotation of a debater',
      (answer) => (answer.transcript.find((entry: any) => entry.role === 'strict-debater').evidence[0].start += 1),
      ['quotations'],
    ],
    [
      'a struck quotation that is now called verified',
      (answer) =>
        Object.assign(answer.transcript.find((entry: any) => entry.role === 'strict-debater').evidence[1], {
          verified: true,
          start: 0,
          end: 10,
        }),
      ['quotations', 'marks'],
    ],
    [
      'the text',
      (answer) => (answer.sources[0].text = answer.sources[0].text.replace('station', 'stadium')),
      ['subject'],
    ],
    [
      'the finding of the arbiter',
      (answer) => (answer.transcript.find((entry: any) => entry.role === 'arbiter').answer.risk.holds = false),
      ['rules', 'clauses', 'marks', 'action'],
    ],
    ['the clause', (answer) => (answer.verdict.categories = [{ id: 'fraud', clause: 'fraud.scam' }]), ['clauses']],
    ['the action', (answer) => (answer.verdict.action = 'allow'), ['action']],
    ['the severity', (answer) => (answer.verdict.severity = 'low'), ['action']],
    ['the call for a person', (answer) => (answer.verdict.escalate = true), ['marks']],
    ['what went less well', (answer) => (answer.verdict.degraded = []), ['marks']],
  ])('%s', (_name, change, expected) => {
    expect(wrong(forged(change, { reseal: true }))).toEqual(expected);
    expect(wrong(forged(change, { reseal: false }))).toEqual(['seal', ...expected]);
  });

  test('findings that are no findings', () => {
    const answer = forged(
      (copy) => (copy.transcript.find((entry: any) => entry.role === 'arbiter').answer = 'guilty'),
      { reseal: true },
    );
    expect(verifyAnswer(answer, { policy })).toContainEqual({
      name: 'rules',
      outcome: 'wrong',
      detail: 'the answer of arbiter is not readable',
    });
  });
});

describe('what the caller knows', () => {
  test('the text that was judged, with or without the line break that ends a file', () => {
    expect(wrong(unsafe, { policy, source: `${post}\n` })).toEqual([]);
    expect(wrong(unsafe, { policy, source: `${post} ` })).toEqual(['source']);
  });

  test('a recording that was judged, by its bytes', () => {
    const data = new Uint8Array([1, 2, 3]);
    const recordings = [{ id: 'audio-1', kind: 'audio', hash: sha256(data), mediaType: 'audio/mpeg', seconds: 3 }];
    const heard = forged((answer) => (answer.subject.recordings = recordings), { reseal: true });
    const checkSource = (source: Uint8Array) => verifyAnswer(heard, { source }).find(({ name }) => name === 'source');
    expect(checkSource(data)).toMatchObject({
      outcome: 'ok',
      detail: 'the file is the recording that was judged as audio-1',
    });
    expect(checkSource(data.subarray(1))).toMatchObject({ outcome: 'wrong' });
  });

  test('under another policy, or none, the clauses are not checked and the answer says which policy it needs', () => {
    for (const known of [{}, { policy: { ...policy, hash: 'sha256:other', categories: [] } }]) {
      const clauses = verifyAnswer(unsafe, known).find(({ name }) => name === 'clauses');
      expect(clauses).toMatchObject({ outcome: 'not-checked', detail: expect.stringContaining(policy.hash) });
      expect(wrong(unsafe, known)).toEqual([]);
    }
  });
});
