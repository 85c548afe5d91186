import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findContextStart, findReadyEnd } from './cut-sentences.ts';
import type { GuardVerdict } from './guard-verdict.ts';
import { settleReadings } from './settle-readings.ts';
import { watchAnswer, type Stretch } from './watch-answer.ts';

const verdict = (label: GuardVerdict['label'], about: Partial<GuardVerdict> = {}) =>
  ({
    of: 'answer',
    label,
    hit: label === 'unsafe',
    unsure: false,
    risk: label === 'unsafe' ? 0.8 : 0.01,
    ...about,
  }) as GuardVerdict;

async function watchAll(pieces: readonly string[], judge: (stretch: Stretch) => GuardVerdict | null = () => null) {
  const stretches: Stretch[] = [];
  const watch = watchAnswer(
    async (stretch) => {
      stretches.push(stretch);
      return judge(stretch);
    },
    { context: 240, stopAtHit: true },
  );
  const settle = async () => {
    for (let change = watch.changed(); change; change = watch.changed()) await change;
  };
  for (const piece of pieces) {
    watch.add('t', piece);
    await settle();
  }
  watch.flush();
  await settle();
  return { watch, stretches };
}

describe('an answer that comes in', () => {
  test('is judged sentence by sentence, each with what stands before it', async () => {
    const { stretches } = await watchAll(['One is here. ', 'Two is', ' here. Three', ' is here.']);
    expect(stretches.map(({ fresh, inContext, isLast }) => [fresh, inContext, isLast])).toEqual([
      ['One is here. ', null, false],
      ['Two is here. ', 'One is here. Two is here. ', false],
      ['Three is here.', 'One is here. Two is here. Three is here.', true],
    ]);
  });

  test('has its end judged even if it ended with a line, before anybody knew that it was the end', async () => {
    const { stretches } = await watchAll(['One is here.\n']);
    expect(stretches.map(({ fresh, isLast }) => [fresh, isLast])).toEqual([
      ['One is here.\n', false],
      ['One is here.\n', true],
    ]);
  });

  test('is not read further once something was hit', async () => {
    const { watch, stretches } = await watchAll(['Fine. ', 'Bad. ', 'More. ', 'End.'], ({ fresh }) =>
      fresh.includes('Bad') ? verdict('unsafe') : null,
    );
    expect([watch.hit?.label, watch.clearedUpTo('t'), stretches.length]).toEqual(['unsafe', 6, 2]);
  });

  test('is judged whole, in order and without a gap, whatever it says and however it is cut', async () => {
    const text = fc.array(fc.constantFrom('A b c. ', 'Yes! ', '😀', 'e.g. ', '\n', ' ', 'word ', 'x'.repeat(400)), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (words, step) => {
        const whole = words.join('');
        const pieces = whole.match(new RegExp(`[^]{1,${step}}`, 'g')) ?? [];
        const { watch, stretches } = await watchAll(pieces);
        expect([watch.clearedUpTo('t'), watch.waiting()]).toEqual([whole.length, 0]);
        const isRead = Array.from({ length: whole.length }, () => false);
        for (const { range, fresh } of stretches) {
          expect(whole.slice(range.start, range.end)).toBe(fresh);
          expect(fresh.isWellFormed()).toBe(true);
          isRead.fill(true, range.start, range.end);
        }
        expect(isRead.every((read, at) => read || whole[at]!.trim() === '')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('costs what its length says: twice as long is about twice as much', async () => {
    const cost = async (sentences: number) => {
      const { stretches } = await watchAll(
        Array.from({ length: sentences }, (_, at) => `This is sentence ${at} of many. `),
      );
      return stretches.reduce((sum, { fresh, inContext }) => sum + 2 * fresh.length + (inContext ?? '').length, 0);
    };
    expect((await cost(200)) / (await cost(100))).toBeLessThan(2.2);
  });
});

describe('where a text is cut', () => {
  test.each([
    ['One. Two. Thr', 10],
    ['One sentence that goes on', 0],
    ['A line\n', 7],
    ['   \n', 0],
    ['Dr. Smith is here', 0],
  ])('%j can be judged up to %i', (text, end) => {
    expect(findReadyEnd(text)).toBe(end);
  });

  test('never between the halves of a character', () => {
    expect(findReadyEnd(`${'x'.repeat(299)}😀`.slice(0, 300))).toBe(299);
    expect(findContextStart('😀'.repeat(50), 100, 11)).toBe(88);
  });
});

describe('readings of a sentence', () => {
  const safe = verdict('safe');
  const bad = verdict('unsafe');
  const unsure = verdict('unsafe', { unsure: true, risk: 0.3 });
  const settle = (
    fresh: GuardVerdict,
    content: GuardVerdict,
    inContext: GuardVerdict,
    isLast = false,
    hits: 'agreed' | 'either' = 'agreed',
  ) => settleReadings({ fresh, content, inContext }, { isLast, hits });

  test('have to agree before the answer is over, and one be sure where the context speaks against it', () => {
    expect(settle(bad, safe, safe).hit).toBeNull();
    expect(settle(safe, bad, safe).hit).toBeNull();
    expect(settle(safe, unsure, unsure).hit).toBe(unsure);
    expect(settle(bad, unsure, safe).hit).toBe(bad);
    expect(settle(unsure, { ...unsure }, safe).hit).toBeNull();
  });

  test('are as any other exchange at its end, and each is enough where that was asked for', () => {
    expect(settle(safe, safe, bad, true).hit).toBe(bad);
    expect(settle(bad, safe, safe, true).hit).toBeNull();
    expect(settle(bad, safe, safe, false, 'either').hit).toBe(bad);
  });

  test('leave what they do not agree on to a debate', () => {
    expect(settle(bad, safe, safe).doubt).toBe(bad);
    expect(settle(safe, safe, safe).doubt).toBeNull();
    expect(settle(bad, bad, safe).doubt).toBeNull();
  });

  test('that failed are blocked or not as the options say', () => {
    const failed = verdict('undecided', { hit: true, unsure: true, risk: null });
    expect(settle(safe, failed, safe).hit).toBe(failed);
    expect(settle(safe, { ...failed, hit: false }, safe).hit).toBeNull();
  });
});
