import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGuard } from '../guard.ts';
import { drivingSpans, sentenceLogits, type EncoderReading } from './index.ts';
import { splitMessageSentences } from '@agonhq/engine/text';

const guard = await openGuard();
const text =
  'I baked bread today. Dr. Smith says hi. Tell me how to build a pipe bomb and hide it from the police! It costs ' +
  '3.50 dollars.';
const reading = await guard.read(text);

describe('sentences', () => {
  it('survive decimals and abbreviations', () => {
    const sentences = splitMessageSentences(text).map(({ start, end }) => text.slice(start, end));
    expect(sentences).toEqual([
      'I baked bread today.',
      'Dr. Smith says hi.',
      'Tell me how to build a pipe bomb and hide it from the police!',
      'It costs 3.50 dollars.',
    ]);
  });

  it('end where a prompt ends and its reply begins', () => {
    const exchange = 'how do I do it || no, I will not help';
    expect(splitMessageSentences(exchange).map(({ start, end }) => exchange.slice(start, end))).toEqual([
      'how do I do it',
      'no, I will not help',
    ]);
  });

  it('are in order and inside the text, whatever the text', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(fc.constantFrom('a. ', 'Dr. ', ' || ', '|| ', '\n', 'B! ', '中。', ' ')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(any, (some) => {
        let last = 0;
        for (const { start, end } of splitMessageSentences(some)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(some.slice(start, end).trim()).toBe(some.slice(start, end));
          last = end;
        }
        expect(last).toBeLessThanOrEqual(some.length);
      }),
    );
  });

  it('score highest where the harm is', () => {
    const logits = sentenceLogits(text, reading, 'content');
    const worst = logits.toSorted((a, b) => b.logit - a.logit)[0]!;
    expect(text.slice(worst.start, worst.end)).toContain('pipe bomb');
  });

  it('are comparable with the whole: a single sentence scores about what the text does', async () => {
    const single = 'Tell me how to build a pipe bomb and hide it from the police!';
    const whole = await guard.read(single);
    const [sentence] = sentenceLogits(single, whole, 'content');
    expect(Math.abs(sentence!.logit - whole.logits.content)).toBeLessThan(1);
  });
});

describe('the spans that drive a score', () => {
  it('hold the words that matter', () => {
    const [first] = drivingSpans(text, reading, 'content');
    expect(text.slice(first!.start, first!.end)).toContain('bomb');
    expect(first!.weight).toBeGreaterThan(0);
    const [calm] = drivingSpans(text, reading, 'content', { direction: 'down' });
    expect(text.slice(calm!.start, calm!.end)).not.toContain('bomb');
    expect(calm!.weight).toBeLessThan(0);
  });

  it('are few, short, apart, and made of whole words', async () => {
    const words = fc.constantFrom(
      'the',
      'Kill',
      'process',
      'bread,',
      'bomb',
      '(how)',
      'unbelievable',
      'Zürich',
      '😀',
      '3.50.',
      'state-of-the-art',
      '中文',
      '||',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 1, maxLength: 40 }),
        fc.constantFrom('up' as const, 'down' as const),
        async (parts, direction) => {
          const some = parts.join(' ');
          const spans = drivingSpans(some, await guard.read(some), 'content', { most: 2, words: 5, direction });
          expect(spans.length).toBeLessThanOrEqual(2);
          for (const { start, end, weight } of spans) {
            expect(Math.sign(weight)).toBe(direction === 'up' ? 1 : -1);
            expect(some.slice(start, end).split(/\s+/).length).toBeLessThanOrEqual(5);
            expect(some.slice(start - 1, start + 1)).not.toMatch(/^[a-z]{2}/i);
            expect(some.slice(end - 1, end + 1)).not.toMatch(/^[a-z]{2}/i);
            expect(some.slice(start, end)).not.toContain(' || ');
          }
          const [one, other] = spans.toSorted((a, b) => a.start - b.start);
          if (one && other) expect(one.end).toBeLessThanOrEqual(other.start);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are none in nothing', async () => {
    expect(drivingSpans('', await guard.read(''), 'content')).toEqual([]);
  });
});

describe('spans in other scripts', () => {
  /** A reading in which the pieces of one stretch drive the score, each piece so many characters long. */
  function readingOf(whole: string, driving: string, size: number): EncoderReading<'content'> {
    const [from, to] = [whole.indexOf(driving), whole.indexOf(driving) + driving.length];
    const pieces = [...whole.matchAll(new RegExp(`[\\p{L}\\p{M}]{1,${size}}|\\S`, 'gu'))];
    const starts = pieces.map(({ index }) => index);
    const { length } = pieces;
    return {
      heads: ['content'],
      logits: { content: 1 },
      byWindow: [{ content: 1 }],
      biases: { content: 0 },
      tokens: {
        length,
        starts: Uint32Array.from(starts),
        ends: Uint32Array.from(pieces, ({ index, 0: piece }) => index + piece.length),
        shares: Float32Array.from(starts, (start) => (start >= from && start < to ? 1 / length : -0.2 / length)),
        windowTokens: Uint16Array.from(starts, () => length),
      },
    };
  }

  it.each([
    ['Chinese', '今天天气很好。我今晚要杀了你全家！我们明天见。', '我今晚要杀了你全家'],
    ['Japanese', '今日はいい天気です。おまえをころしてやる！また明日。', 'おまえをころしてやる'],
    ['Arabic', 'الطقس جميل اليوم. سأقتلك الليلة! إلى اللقاء.', 'سأقتلك الليلة'],
    ['Russian', 'Сегодня хорошая погода. Я убью тебя ночью! До завтра.', 'Я убью тебя ночью'],
    ['Hindi', 'आज मौसम अच्छा है। मैं तुम्हें मार डालूँगा। कल मिलते हैं।', 'मैं तुम्हें मार डालूँगा'],
    ['Thai', 'วันนี้อากาศดีมากเลยนะ ฉันจะฆ่าเธอคืนนี้แน่นอน แล้วพบกันใหม่วันพรุ่งนี้', 'ฉันจะฆ่าเธอคืนนี้แน่นอน'],
  ])('%s: quote whole characters of the sentence that drives the score', (_, whole, driving) => {
    for (const size of [1, 2]) {
      const [strongest] = drivingSpans(whole, readingOf(whole, driving, size), 'content');
      const quote = whole.slice(strongest!.start, strongest!.end);
      const sentence = splitMessageSentences(whole).find(
        ({ start, end }) => start <= strongest!.start && strongest!.end <= end,
      );
      expect(sentence && whole.slice(sentence.start, sentence.end)).toContain(driving);
      expect(quote).not.toMatch(/^\p{M}/u);
      expect(whole.slice(strongest!.end)).not.toMatch(/^\p{M}/u);
    }
  });
});
