import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { answerFixtures, unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { eventsOf } from '@agonhq/test/support/trial-events.ts';
import type { ModerationAnswer } from '@agonhq/judges/moderation';
import { viewRisk } from '@agonhq/engine/view';
import { renderBar, renderRisk } from './debate-parts.ts';
import { replayState } from './debate-state.ts';
import { renderModeration } from './moderation-view.ts';

/** The lines of a trial up to an event, without our own colours. */
const shown = (answer: ModerationAnswer, width: number, upTo?: number) =>
  renderModeration(replayState(eventsOf(answer).slice(0, upTo)), width).flatMap((block) =>
    block.lines.map(stripVTControlCharacters),
  );

/** The fixture with every statement and source replaced. */
function saying(text: string): ModerationAnswer {
  const transcript = unsafeAnswer.transcript.map((entry) =>
    entry.kind === 'turn' ? { ...entry, statement: text, reasoner: `${text}:${text}` } : entry,
  );
  return { ...unsafeAnswer, transcript, sources: [{ id: text, text }] };
}

describe('no line is wider than the terminal', () => {
  const texts = {
    'words of every length': `${'short '.repeat(30)}${'Donaudampfschifffahrtsgesellschaft'.repeat(6)}`,
    Chinese: '把两瓶都倒进桶里关上窗户'.repeat(20),
    emoji: '👩‍👩‍👧🏳️‍🌈🇺🇸👍🏽❤️'.repeat(30),
    'combining marks': 'e\u0301\u0302\u0303n\u0303'.repeat(60),
    Arabic: 'اسكب الزجاجتين في الدلو '.repeat(20),
    'tabs and line breaks': 'a\tb\r\nc\n\n\td\t\t'.repeat(20),
    'control characters': 'x\u001b[31m\u0007\u009b\u202e\u0000'.repeat(40),
  };
  for (const width of [20, 40, 80, 140]) {
    test.each(Object.entries(texts))(`at ${width} columns: %s`, (_name, text) => {
      const lines = shown(saying(text), width);
      expect(lines.filter((line) => stringWidth(line) > width || /[\t\r\n]/.test(line))).toEqual([]);
    });

    test.each(Object.keys(answerFixtures))(`at ${width} columns: %s, at any moment`, (name) => {
      const answer = answerFixtures[name as keyof typeof answerFixtures];
      for (let moment = 0; moment <= eventsOf(answer).length; moment += 13) {
        expect(shown(answer, width, moment).filter((line) => stringWidth(line) > width)).toEqual([]);
      }
    });
  }
});

test('the columns of a round stand in line, whatever is in them', () => {
  const lines = shown(saying('把两瓶都倒进桶里 👩‍👩‍👧 and close the window'), 80);
  const places = lines
    .filter((line) => line.includes('│'))
    .map((line) => stringWidth(line.slice(0, line.indexOf('│'))));
  expect(places.length).toBeGreaterThan(4);
  expect(new Set(places).size).toBe(1);
});

test('in a narrow terminal the sides speak one below the other', () => {
  expect(shown(unsafeAnswer, 40).join('\n')).not.toContain('│');
  expect(shown(unsafeAnswer, 60).join('\n')).toContain('│');
});

test('what was judged and said cannot steer the terminal', () => {
  const text = shown(saying('before \u001b[2J\u001b]0;owned\u0007\u009b1A after'), 140).join('\n');
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text).toContain('before \\u001b[2J');
});

test('a trial shows both sides with scores, quotes, struck quotes, concessions and who fell silent', () => {
  const text = shown(unsafeAnswer, 140).join('\n');
  for (const part of [
    'Case (text+image)',
    'text/base64 by base64',
    'Supporter',
    'case-0412: A harmful mixture',
    'Round 1',
    'STRICT █████┃████░ 0.86 bar 0.50',
    'LOOSE ████░┃░░░░░ 0.35 bar 0.50',
    '“pour both bottles into the bucket and close the window”',
    '“breathe it in deeply” (struck: not in any source)',
    'Round 2 · the sides agree',
    'Concedes: The hidden word',
    'no answer: refused',
    'Arbiter',
  ])
    expect(text).toContain(part);
});

test('a score is a renderBar of ten', () => {
  expect([0, 0.04, 0.5, 0.96, 1].map((score) => stripVTControlCharacters(renderBar(score)))).toEqual([
    '░░░░░░░░░░',
    '░░░░░░░░░░',
    '█████░░░░░',
    '██████████',
    '██████████',
  ]);
});

test('both sides are drawn on the scale of the verdict: red from the bar on, green below it', () => {
  const drawn = (value: number, bar: number) => stripVTControlCharacters(renderRisk(viewRisk(value, bar)));
  expect(drawn(0.95, 0.36)).toBe('████┃██████ 0.95 bar 0.36');
  expect(drawn(0.2, 0.36)).toBe('██░░┃░░░░░░ 0.20 bar 0.36');
  expect(drawn(1, 1)).toBe('██████████┃ 1.00 bar 1.00');
  const calibration = { a: 1, b: Math.log(0.36 / 0.64), band: null };
  const [first, ...rest] = eventsOf(unsafeAnswer).map((event) =>
    event.type === 'case-ready' ? { ...event, calibration } : event,
  );
  const text = renderModeration(replayState([first!, ...rest]), 140)
    .flatMap(({ lines }) => lines.map(stripVTControlCharacters))
    .join('\n');
  expect(text).toContain('STRICT ████┃████░░ 0.78 bar 0.36');
  expect(text).toContain('LOOSE ██░░┃░░░░░░ 0.23 bar 0.36');
});

test('only what cannot change any more is done', () => {
  const events = eventsOf(unsafeAnswer);
  const at = (type: string, key: string) =>
    events.findIndex((event) => event.type === type && 'key' in event && event.key === key) + 1;
  const done = (upTo: number) => renderModeration(replayState(events.slice(0, upTo)), 80).map((block) => block.done);
  expect(done(at('turn-start', 'supporter')).at(-1)).toBe(false);
  expect(done(at('turn-end', 'supporter')).at(-1)).toBe(true);
  expect(done(at('turn-end', 'round-1/loose-debater')).at(-1)).toBe(false);
  expect(done(events.length).every(Boolean)).toBe(true);
});

describe('judges without roles', () => {
  const opinion = { statement: 'Nothing is wrong with it.', evidence: [], clauses: ['violence.threat'], score: 0.2 };
  const [sample] = unsafeAnswer.transcript.filter((entry) => entry.kind === 'turn');
  const seated = (seat: string, round: number | null) => ({
    ...sample!,
    seat,
    key: round === null ? seat : `round-${round}/${seat}`,
    role: 'judge',
    round,
    statement: opinion.statement,
    score: opinion.score,
    evidence: [],
    answer: opinion,
  });
  const linesOf = (turns: ReturnType<typeof seated>[]) => shown({ ...unsafeAnswer, transcript: turns }, 100).join('\n');

  test('stand beside each other', () => {
    expect(linesOf([1, 2, 3].map((number) => seated(`vote#${number}`, null)))).toMatch(
      /Votes\n {2}VOTE 1 ██░{3}┃░{5} 0\.20 bar 0\.50 safe +│ VOTE 2 ██░{3}┃░{5} 0\.20 bar 0\.50 safe[^]+VOTE 3/,
    );
  });

  test('and one alone speaks alone', () => {
    const text = linesOf([seated('judge', null)]);
    expect(text).toMatch(/Judge\n {2}JUDGE ██░{3}┃░{5} 0\.20 bar 0\.50 safe/);
    expect(text).toContain('Nothing is wrong with it.');
    expect(text).toContain('violence.threat');
  });

  test('answer each other round by round', () => {
    expect(linesOf([1, 2].flatMap((round) => [1, 2].map((number) => seated(`peer#${number}`, round))))).toMatch(
      /Round 1[^]+PEER 1[^]+PEER 2[^]+Round 2[^]+PEER 1/,
    );
  });
});
