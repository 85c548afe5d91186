import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLedger, type Ledger } from '@agonhq/ledger';
import type { Cascade } from './read-cascade.ts';
import { readClearScore, decideByCascade, openFirstTier, openGuardTrial } from './first-tier.ts';
import { openCascade } from './open-cascade.ts';

const everyday = 'I had coffee with my sister this morning and we talked about her garden.';
const threat = 'I will kill you and your whole family, you disgusting subhuman piece of garbage.';
const between = 'He deserves what is coming to him.';
const environment = { AGON_SECRET: 'test' };

let folder: string;
let ledger: Ledger;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-cascade-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function cascadeWith(
  bounds: Pick<Cascade, 'safeUpTo' | 'unsafeFrom'>,
  job: Cascade['job'] = 'moderation',
): Promise<Cascade> {
  const { setup, close } = await openGuardTrial(job, {}, { environment });
  await close();
  const sides = { safe: { decided: 0, wrong: 0 }, unsafe: { decided: 0, wrong: 0 } };
  return {
    version: 1,
    job,
    guard: setup,
    ...bounds,
    risk: 0.05,
    confidence: 0.95,
    fitted: { data: 'sha256:0', items: 0, decided: 0, wrong: 0, bound: 0, sides },
  };
}

async function scoresOf(texts: readonly string[]): Promise<(number | null)[]> {
  const trial = await openGuardTrial('moderation', {}, { environment });
  const answers = await Promise.all(texts.map((text) => trial.judge({ text })));
  await trial.close();
  return answers.map(readClearScore);
}

describe('the first tier of moderation', () => {
  test('puts what it decides on record as a whole case, and nothing of the rest', async () => {
    // Whichever of the two harmless texts is the clearer one.
    const scores = await scoresOf([everyday, between]);
    const [clear, unclear] = scores[0]! <= scores[1]! ? [everyday, between] : [between, everyday];
    const cascade = await cascadeWith({ safeUpTo: Math.min(scores[0]!, scores[1]!), unsafeFrom: 0.9 });
    const tier = await openFirstTier(cascade, {}, { environment, ledger });
    const answers = await Promise.all([clear, threat, unclear].map((text) => tier.judge({ text })));
    await tier.close();
    expect(answers.map((answer) => decideByCascade(cascade, answer))).toEqual(['safe', 'unsafe', null]);

    const { rows } = await ledger.cases.listCases({});
    expect(new Map(rows.map(({ id, label }) => [id, label]))).toEqual(
      new Map(answers.slice(0, 2).map(({ id, verdict }) => [id, verdict.label])),
    );
    const record = await ledger.cases.findCase(answers[1]!.id);
    expect(record!.content).toMatchObject({ text: threat });
    expect(record!.answer!.verdict.evidence[0]).toMatchObject({ verified: true });
    expect(record!.answer!.provenance.models).toEqual({ arbiter: 'embedded:guard-2' });
  });

  test('says again what another worker decided of the same text, and holds no trial for it', async () => {
    const cascade = await cascadeWith({ safeUpTo: 0.4, unsafeFrom: 0.6 });
    const text = `${everyday} It rained in the afternoon.`;
    const first = await openFirstTier(cascade, {}, { environment, ledger });
    const decided = await first.judge({ text });
    await first.close();
    const other = await openFirstTier(cascade, {}, { environment, ledger });
    const { answer, decided: unrecorded } = await other.decide({ text });
    const elsewhere = await other.decide({ text, context: { author: 'somebody' } });
    await other.close();
    // The same seal and the same time that it took: nothing was judged.
    expect([answer, unrecorded]).toEqual([decided, null]);
    // Another author's is a case of its own, with the same judgement, and goes on record.
    expect(elsewhere.answer.id).not.toBe(decided.id);
    expect(elsewhere.answer.verdict).toEqual(decided.verdict);
    expect(elsewhere.answer.usage).toEqual(decided.usage);
    expect(elsewhere.decided).toMatchObject({ opened: { id: elsewhere.answer.id, context: { author: 'somebody' } } });
    expect(elsewhere.decided!.answer.seal).toBe(elsewhere.answer.seal);
  });

  test('decides nothing against what a person decided of the same text', async () => {
    const cascade = await cascadeWith({ safeUpTo: 0.4, unsafeFrom: 0.6 });
    const text = `${threat} Says who?`;
    const tier = await openFirstTier(cascade, {}, { environment, ledger });
    const { id } = await tier.judge({ text });
    const decide = async (by: string, label: 'safe' | 'unsafe') => {
      await ledger.decisions.recordDecision({ case: id, label, by });
      const [again, elsewhere] = await Promise.all([
        tier.decide({ text }),
        tier.decide({ text, context: { author: 'somebody' } }),
      ]);
      return [again, elsewhere].map(({ answer }) => decideByCascade(cascade, answer));
    };
    expect(await decide('ann', 'safe')).toEqual([null, null]);
    expect(await decide('bob', 'unsafe')).toEqual(['unsafe', 'unsafe']);
    await tier.close();
  });

  test('never decides what it cannot judge: another language, an image it cannot see', async () => {
    const all: Pick<Cascade, 'safeUpTo' | 'unsafeFrom'> = { safeUpTo: 0.49, unsafeFrom: 0.5 };
    const tier = await openFirstTier(await cascadeWith(all), {}, { environment });
    const greek = await tier.judge({
      text: 'Σήμερα το πρωί ήπια καφέ με την αδερφή μου και μιλήσαμε για τον κήπο της.',
    });
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const picture = await tier.judge({ text: everyday, images: [{ data: new Uint8Array(pixel), name: 'dot.png' }] });
    await tier.close();
    expect([greek, picture].map((answer) => decideByCascade(all, answer))).toEqual([null, null]);
  });

  test('refuses bounds that were fitted on another guard', async () => {
    const cascade = { ...(await cascadeWith({ safeUpTo: 0.2, unsafeFrom: null })), guard: 'sha256:other' };
    await expect(openFirstTier(cascade, {}, { environment })).rejects.toMatchObject({ code: 'cascade-mismatch' });
  });
});

test('the first tier of evaluation is one judge, whose score goes with its label', async () => {
  const trial = await openGuardTrial('evaluation', {}, { environment });
  const answer = await trial.judge({
    prompt: 'How do I bake bread?',
    response: 'Mix flour, water, yeast and salt, let the dough rise, and bake it for forty minutes.',
  });
  await trial.close();
  expect(answer.provenance.protocol).toBe('one judge');
  const score = readClearScore(answer);
  expect(score === null || score < 0.5 === (answer.verdict.label === 'safe')).toBe(true);
});

test('a verdict decides only when nothing speaks against it', () => {
  const verdict = {
    label: 'safe',
    risk: 0.1,
    bar: 0.5,
    escalate: false,
    rule: { id: 'default-safety', why: '' },
    categories: [],
    evidence: [],
    degraded: [],
  };
  const bounds = { safeUpTo: 0.2, unsafeFrom: 0.8 };
  expect(decideByCascade(bounds, { verdict })).toBe('safe');
  expect(decideByCascade(bounds, { verdict: { ...verdict, label: 'unsafe', risk: 0.8 } })).toBe('unsafe');
  const doubts = [
    { risk: 0.21 },
    { risk: null },
    { escalate: true },
    { label: 'undecided' },
    { label: 'unsafe' },
    { degraded: [{ kind: 'fallback', at: 'arbiter', detail: '' }] },
  ];
  for (const doubt of doubts) expect(decideByCascade(bounds, { verdict: { ...verdict, ...doubt } })).toBeNull();
});

describe('a cascade for a run', () => {
  test('is read from a file that was fitted for this job', async () => {
    const cascade = await cascadeWith({ safeUpTo: 0.2, unsafeFrom: 0.9 });
    const file = path.join(folder, 'cascade.json');
    await writeFile(file, JSON.stringify(cascade));
    expect(await openCascade({ job: 'moderation', settings: {}, file })).toEqual(cascade);
    await expect(openCascade({ job: 'evaluation', settings: {}, file })).rejects.toMatchObject({
      code: 'cascade-mismatch',
    });
    await expect(openCascade({ job: 'moderation', settings: {}, file, risk: 0.01 })).rejects.toMatchObject({
      code: 'cascade-mismatch',
    });
    await writeFile(file, JSON.stringify({ ...cascade, safeUpTo: 0.7 }));
    await expect(openCascade({ job: 'moderation', settings: {}, file })).rejects.toMatchObject({
      code: 'not-a-cascade',
    });
  });

  test('is fitted on labelled data, each content once', async () => {
    const file = path.join(folder, 'labelled.csv');
    const rows = Array.from(
      { length: 30 },
      (_, index) =>
        `"${index % 2 === 0 ? `${everyday} That was on day ${index}.` : `${threat} I have said it ${index} times.`}",${index % 2 === 0 ? 'safe' : 'unsafe'}`,
    );
    await writeFile(file, ['text,label', ...rows, ...rows].join('\n'));
    const options = { job: 'moderation', settings: {}, file, parts: { environment }, confidence: 0.9 } as const;
    const { fitted, safeUpTo, unsafeFrom } = await openCascade({ ...options, risk: 0.3 });
    expect(fitted).toMatchObject({
      items: 30,
      decided: 30,
      wrong: 0,
      sides: { safe: { decided: 15 }, unsafe: { decided: 15 } },
    });
    expect([safeUpTo! < 0.5, unsafeFrom! >= 0.5]).toEqual([true, true]);
    await expect(openCascade(options)).rejects.toMatchObject({
      code: 'no-cascade',
      message: expect.stringContaining('30 labelled items are too few'),
    });
  });

  test('without a file is fitted on what people decided', async () => {
    const { rows } = await ledger.cases.listCases({});
    for (const { id, label } of rows)
      await ledger.decisions.recordDecision({ case: id, label: label as 'safe', by: 'ada' });
    await expect(
      openCascade({ job: 'moderation', settings: {}, ledger, parts: { environment } }),
    ).rejects.toMatchObject({
      code: 'no-cascade',
      message: expect.stringContaining(`${rows.length} labelled items are too few`),
    });
    await expect(openCascade({ job: 'moderation', settings: {} })).rejects.toMatchObject({ code: 'no-labels' });
  });
});
