import type { Role } from './find-roles.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';

/** A part or a multiple in words, with the room that the words leave. */
export interface WordedNumber extends ScannedNumber {
  said: Role;
}

const parts: Record<string, number> = {
  half: 1 / 2,
  third: 1 / 3,
  quarter: 1 / 4,
  fifth: 1 / 5,
  sixth: 1 / 6,
  tenth: 1 / 10,
};
const counts: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4 };
const times: Record<string, number> = { doubled: 1, tripled: 2, trebled: 2, quadrupled: 3, halved: -0.5 };
const room = String.raw`(?<room>just over|slightly over|slightly more than|a little over|well over|over|more than|just under|slightly under|slightly less than|a little under|well under|under|less than|nearly|almost|close to|about|around|approximately|roughly|some)`;
const fractions = new RegExp(
  String.raw`\b(?:${room}\s+)?(?:(?<count>an?|one|two|three|four)[ -])?(?<part>half|thirds?|quarters?|fifths?|sixths?|tenths?)(?=\s+of\s+(?!20\d\d|the (?:year|quarter|month|period))|\s+of$)`,
  'gi',
);
const multiples = new RegExp(String.raw`\b(?:${room}\s+)?(?<times>doubled|tripled|trebled|quadrupled|halved)\b`, 'gi');

/** "Just over a third of revenue", "more than doubled": what is plainly not so can be told though no digit is there. */
export function scanWordedNumbers(text: string): WordedNumber[] {
  const found: WordedNumber[] = [];
  for (const { 0: match, index, groups } of text.matchAll(fractions)) {
    const { count, part } = groups as { count?: string; part: string };
    // "The third of four": only a half goes without a count.
    if (count === undefined && part !== 'half') continue;
    const whole = (counts[count?.toLowerCase() ?? 'one'] ?? 1) * parts[part.toLowerCase().replace(/s$/, '')]!;
    found.push(buildWordedNumber(match, index, whole, 0.06, groups?.['room'], { role: 'share', direction: null }));
  }
  for (const { 0: match, index, groups } of text.matchAll(multiples)) {
    const by = times[groups!['times']!.toLowerCase()]!;
    found.push(
      buildWordedNumber(match, index, by, 0.2 * Math.abs(by), groups?.['room'], {
        role: 'change',
        direction: by < 0 ? -1 : 1,
      }),
    );
  }
  return found;
}

function buildWordedNumber(
  text: string,
  start: number,
  value: number,
  about: number,
  said: string | undefined,
  role: Role,
): WordedNumber {
  const word = said?.toLowerCase() ?? '';
  const side = /over|more/.test(word) ? 1 : /under|less|nearly|almost|close/.test(word) ? -1 : 0;
  const wide = /^(?:well )?(?:over|under|more than|less than)$/.test(word)
    ? Math.max(about, Math.abs(value) / 2)
    : about;
  const away = Math.sign(value) * side * wide;
  return {
    start,
    end: start + text.length,
    text,
    value: value + away,
    precision: side === 0 ? about : wide + 0.03,
    scale: null,
    unit: '%',
    year: false,
    said: role,
  };
}
