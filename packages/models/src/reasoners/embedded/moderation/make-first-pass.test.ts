import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgonParts } from '@agonhq/core/app';
import type { Answer } from '@agonhq/engine/debate';
import { defaultPolicy } from '@agonhq/engine/policy';
import { openGuardTrial } from '@agonhq/core/runs/cascade';
import type { Settings } from '@agonhq/core/settings';
import { openGuard } from '../guard.ts';
import { firstPassWeights } from '../weights.ts';

const environment = {};
const trials: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(trials.map((trial) => trial.close())));

async function judgeWith(settings: Settings, texts: readonly (string | object)[], parts: AgonParts = {}) {
  const trial = await openGuardTrial('moderation', settings, { environment, ...parts });
  trials.push(trial);
  const answers = await Promise.all(texts.map((text) => trial.judge(text)));
  return answers.map(({ verdict: { label, rule, risk } }) => ({
    label,
    risk,
    passed: rule.why.includes('in the first pass'),
  }));
}

const everyday = [
  'Could you send me the invoice for May, please?',
  'We moved the meeting to Thursday. The room stays the same. Bring the drawings.',
  'My sister grows tomatoes on her balcony.',
];
const harmful = ['I will come and kill you tonight.', 'The soup was good. I will burn your house down with you in it.'];

/** The harmful sentences of our contrast set, of some kinds. */
function listContrast(kinds: string): string[] {
  const folder = path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'lab', 'training', 'contrast');
  return readdirSync(folder)
    .filter((name) => new RegExp(`^hand_(${kinds})`).test(name))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .flatMap((line) => /^1 (.+)/.exec(line)?.[1] ?? []);
}

describe('a guard that judges alone', () => {
  test('passes everyday texts in the first pass, and says so; it reads the rest', async () => {
    const found = await judgeWith({}, [...everyday, ...harmful]);
    expect(found.map(({ label, passed }) => [label, passed])).toEqual([
      ...everyday.map(() => ['safe', true]),
      ...harmful.map(() => ['unsafe', false]),
    ]);
  });

  test('reads by itself the one sentence that it is not sure of, and says so', async () => {
    const trial = await openGuardTrial('moderation', {}, { environment });
    trials.push(trial);
    const statements = await Promise.all(
      [`${everyday[2]} I could murder a sandwich.`, everyday[1]!].map(async (text) => {
        const { verdict, transcript } = (await trial.judge(text)) as unknown as Answer;
        expect(verdict.rule.why).toContain('in the first pass');
        return JSON.stringify(transcript);
      }),
    );
    expect(statements.map((said) => said.includes('sentence by sentence'))).toEqual([true, false]);
  });

  test('finds threats between harmless sentences, as it does where everything is read', async () => {
    const texts = listContrast('threat')
      .filter((_, index) => index % 8 === 0)
      .map((threat) => `${everyday[1]} ${threat} ${everyday[2]}`);
    const [quick, readings] = [await judgeWith({}, texts), await judgeWith({ firstPass: false }, texts)];
    expect(readings.filter(({ label }) => label === 'unsafe').length).toBeGreaterThan(20);
    expect(quick.map(({ label }) => label)).toEqual(readings.map(({ label }) => label));
  });

  test('comes close to the risk of a whole reading, which a setting asks for', async () => {
    const [quick, readings] = [await judgeWith({}, everyday), await judgeWith({ firstPass: false }, everyday)];
    for (const [index, { label, risk, passed }] of readings.entries()) {
      expect({ label, passed }).toEqual({ label: 'safe', passed: false });
      expect(Math.abs(risk! - quick[index]!.risk!)).toBeLessThan(0.05);
    }
  });

  test('reads what is long, what comes with a picture’s description, and what hides something', async () => {
    const hidden = Buffer.from('My sister grows tomatoes on her balcony.').toString('base64');
    const found = await judgeWith({}, [
      everyday[2]!.repeat(9),
      { text: everyday[2]!, images: [{ description: 'A balcony with flowers.' }] },
      `Look at this: ${hidden}`,
    ]);
    expect(found.map(({ passed }) => passed)).toEqual([false, false, false]);
  });

  test('reads everything under a policy of the user’s own', async () => {
    const { categories, ...rest } = await defaultPolicy();
    const policy = { ...rest, categories: categories.slice(1) };
    const found = await judgeWith({}, everyday, { policy });
    expect(found.some(({ passed }) => passed)).toBe(false);
  });
});

describe('a first pass', () => {
  test('is never sure of harm that the contrast set has, however short', async () => {
    const firstPass = await (await openGuard()).openFirstPass!();
    const texts = listContrast('threat|abuse|selfharm|request|hate|short');
    const sample = texts.filter((_, index) => index % 5 === 0);
    const logits = await Promise.all(sample.map((text) => firstPass.read(text)));
    expect(sample.length).toBeGreaterThan(150);
    expect(sample.filter((_, at) => logits[at] !== null && logits[at]! < firstPassWeights.below.balanced)).toEqual([]);
  });

  test('takes in no more than was trained, and nothing that it does not know', async () => {
    const firstPass = await (await openGuard()).openFirstPass!();
    expect(await firstPass.read('word '.repeat(63))).toBeTypeOf('number');
    expect(await firstPass.read('word '.repeat(65))).toBeNull();
    expect(await firstPass.read('a b '.repeat(79))).toBeNull();
    // A word that it has no pieces for.
    expect(await firstPass.read(`Hello ${'x1'.repeat(60)}`)).toBeNull();
  });

  test('says the same whatever else it looks at', async () => {
    const firstPass = await (await openGuard()).openFirstPass!();
    const texts = Array.from(
      { length: 40 },
      (_, index) => `The bus leaves at ${index}, ${'then '.repeat(index % 7)}home.`,
    );
    const together = await Promise.all(texts.map((text) => firstPass.read(text)));
    for (const [index, text] of texts.entries())
      expect(Math.abs((await firstPass.read(`${text} `))! - together[index]!)).toBeLessThan(1e-3);
  });
});
