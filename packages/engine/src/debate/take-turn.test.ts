import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scriptedReasoner, seatOf, speaker } from '@agonhq/test/support/scripted.ts';
import { createFence, memoryJournal, noUsage, type Answered, type Failed, type Question, type Seat } from './index.ts';
import { findEvidence, hashComputeInput, hashTurnInput, takeTurn } from './take-turn.ts';
import type { Turn } from './transcript.ts';

const text = 'How do I kill a process on Linux? Ask the kernel.';
const caseFile = { sources: [{ id: 'text', text }] };
const place = { key: 'a', inputHash: 'sha256:1' };
const { signal } = new AbortController();

function questionOf(overrides: Partial<Question> = {}): Question {
  return { caseFile, transcript: [], round: null, seat: 'a', fence: createFence(caseFile, 'secret'), ...overrides };
}

function spoken(overrides: Partial<Turn> = {}): Turn {
  return {
    kind: 'turn',
    ...place,
    seat: 'a',
    role: 'a',
    round: null,
    statement: 'I say.',
    score: 0.5,
    evidence: [],
    answer: { statement: 'I say.', evidence: [], score: 0.5 },
    reasoner: 'test:scripted',
    usage: noUsage,
    latencyMs: 3,
    ...overrides,
  };
}

describe('the hash of what a seat is asked', () => {
  const attachment = { id: 'image-1', mediaType: 'image/png', hash: 'sha256:image', data: new Uint8Array(1) };
  const usual = seatOf('a', scriptedReasoner());
  const withRole = (change: Partial<Seat['role']>): Seat => ({ ...usual, role: { ...usual.role, ...change } });
  const withPrompt = (change: object): Seat =>
    withRole({ prompt: (question) => ({ ...usual.role.prompt(question), ...change }) });

  test.each<[string, Seat]>([
    ['the instructions', withPrompt({ instructions: 'Debate well.' })],
    ['the case', withPrompt({ caseFile: 'Another case.' })],
    ['what was said', withPrompt({ transcript: 'b: no.' })],
    ['the task', withPrompt({ task: 'You are b.' })],
    ['an image', withPrompt({ attachments: [attachment] })],
    ['another image', withPrompt({ attachments: [{ ...attachment, hash: 'sha256:other' }] })],
    ['the same image by another name', withPrompt({ attachments: [{ ...attachment, id: 'image-2' }] })],
    ['the schema', withRole({ schema: z.object({ statement: z.string() }) })],
    ['the temperature', withRole({ temperature: 0.7 })],
    ['a temperature of nothing', withRole({ temperature: 0 })],
    ['how long the answer may be', withRole({ maxOutputTokens: 101 })],
    ['who answers', { ...usual, reasoner: { ...usual.reasoner, fingerprint: 'test:other' } }],
  ])('is another with %s', (_, changed) => {
    expect(hashTurnInput(changed, questionOf())).not.toBe(hashTurnInput(usual, questionOf()));
  });

  test('is the same for the same words, whatever the seat is called', () => {
    expect(hashTurnInput({ ...usual, id: 'b' }, questionOf({ seat: 'b', round: 2 }))).toBe(
      hashTurnInput(usual, questionOf()),
    );
  });

  test('counts in whom the case names where they are hidden from the provider, and nowhere else', () => {
    const named = questionOf({ caseFile: { ...caseFile, people: [{ kind: 'person', name: 'Ada Kern' }] } as never });
    const masking = { ...usual, reasoner: { ...usual.reasoner, masks: true } };
    expect(hashTurnInput(usual, named)).toBe(hashTurnInput(usual, questionOf()));
    expect(hashTurnInput(masking, named)).not.toBe(hashTurnInput(masking, questionOf()));
  });
});

describe('the hash of a computed step', () => {
  const hash = (...[name, parameters, file, said]: Partial<Parameters<typeof hashComputeInput>>) =>
    hashComputeInput(name ?? 'tally', parameters ?? { bar: 1 }, file ?? caseFile, said ?? [spoken()]);

  test('is another with another name, parameter, source, answer or piece of evidence, or with a fallback', () => {
    const fallback = { reason: 'timeout', detail: '' } as const;
    const struck = { quote: 'x', verified: false } as never;
    const hashes = [
      hash(),
      hash('count'),
      hash('tally', { bar: 2 }),
      hash('tally', { bar: 1 }, { sources: [{ id: 'text', text: `${text} ` }] }),
      hash('tally', { bar: 1 }, caseFile, [spoken({ answer: { score: 1 } })]),
      hash('tally', { bar: 1 }, caseFile, [spoken({ evidence: [struck] })]),
      hash('tally', { bar: 1 }, caseFile, [spoken({ fallback })]),
      hash('tally', { bar: 1 }, caseFile, [spoken({ key: 'b' })]),
      hash('tally', { bar: 1 }, caseFile, [{ kind: 'stop', key: 'stop', round: 1, reason: 'agreed' }]),
      hash('tally', { bar: 1 }, caseFile, [{ kind: 'stop', key: 'stop', round: 1, reason: 'last-round' }]),
      hash('tally', { bar: 1 }, caseFile, [{ kind: 'computed', ...place, name: 'n', round: null, value: 1 }]),
      hash('tally', { bar: 1 }, caseFile, [{ kind: 'computed', ...place, name: 'n', round: null, value: 2 }]),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('is the same however long the turns took, and whoever was paid for them', () => {
    expect(
      hash('tally', { bar: 1 }, caseFile, [
        spoken({ latencyMs: 900, usage: { ...noUsage, calls: 4, costUsd: 2 }, reasoner: 'test:other' }),
      ]),
    ).toBe(hash());
  });
});

describe('a quote that is nowhere is sent back', () => {
  const usage = { calls: 1, inputTokens: 10, outputTokens: 5, cachedTokens: 2, costUsd: 0.5 };
  const answered = (evidence: string[], score: number): Answered<unknown> => ({
    outcome: 'answered',
    value: { statement: `I say ${score}.`, evidence, score },
    usage,
    latencyMs: 40,
    model: `test:${score}`,
    raw: '',
    notes: [`note ${score}`],
    calls: [{ why: 'answer' } as never],
  });
  const failed: Failed = {
    outcome: 'failed',
    reason: 'timeout',
    detail: 'No answer.',
    usage,
    latencyMs: 7,
    model: 'test:2',
    raw: '',
  };
  async function take(...outcomes: (Answered<unknown> | Failed)[]) {
    const asked: Question[] = [];
    const reasoner = {
      ...scriptedReasoner(),
      answer: async (_role: unknown, question: Question) => (asked.push(question), outcomes.shift()!),
    };
    const seat: Seat = { id: 'a', role: speaker('a'), reasoner: reasoner as never };
    return { ...(await takeTurn(seat, questionOf(), place, { signal })), asked };
  }

  test('and both answers are paid for, timed and noted', async () => {
    const { turn, calls, asked } = await take(answered(['murder'], 1), answered(['the kernel'], 2));
    expect(turn).toMatchObject({
      statement: 'I say 2.',
      usage: { calls: 2, inputTokens: 20, outputTokens: 10, cachedTokens: 4, costUsd: 1 },
      latencyMs: 80,
      notes: ['note 1', '1 quote(s) found in no source were sent back and put right'],
      evidence: [{ quote: 'the kernel', source: 'text', verified: true }],
    });
    expect(calls).toHaveLength(2);
    expect(asked[1]!.correction).toMatchObject({ answer: { score: 1 } });
    expect(asked[1]!.correction!.problem).toContain('"murder"');
    expect(asked[1]!.correction!.problem).toContain('(text)');
  });

  test('the second answer stands where it has no more struck quotes than the first, else the first', async () => {
    const same = await take(answered(['murder'], 1), answered(['war'], 2));
    expect(same.turn).toMatchObject({ statement: 'I say 2.', notes: ['note 1', expect.stringContaining('1 struck')] });
    const worse = await take(answered(['murder'], 1), answered(['war', 'siege'], 2));
    expect(worse.turn).toMatchObject({ statement: 'I say 1.', evidence: [{ quote: 'murder', verified: false }] });
  });

  test('where no second answer comes, the first stands with what is struck, and the turn says why', async () => {
    const { turn } = await take(answered(['murder'], 1), failed);
    expect(turn).toMatchObject({
      statement: 'I say 1.',
      latencyMs: 47,
      notes: ['note 1', '1 quote(s) found in no source were sent back; no second answer came (timeout)'],
    });
    expect(turn.fallback).toBeUndefined();
  });

  test('an answer whose quotes all stand is asked once', async () => {
    const { asked, turn } = await take(answered(['kill a process'], 1));
    expect(asked).toHaveLength(1);
    expect(turn).toMatchObject({ reasoner: 'test:1', latencyMs: 40, notes: ['note 1'] });
  });

  test('what a reasoner could not judge, and what was cut of its prompt, is on record', async () => {
    const { turn } = await take({ ...answered([], 1), unjudged: ['S1'], cut: 'half of the text' });
    expect(turn).toMatchObject({ unjudged: ['S1'], cut: 'half of the text' });
    const { turn: plain } = await take({ ...answered([], 1), notes: [], unjudged: [] });
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['notes']));
    expect(plain.unjudged).toBeUndefined();
    expect(plain.cut).toBeUndefined();
  });
});

test('the evidence for quotes of a turn is looked for among some of the sources, without what was struck', () => {
  const role = speaker('a');
  const sources = [
    { id: 'prompt', text: 'Tell me of the kernel.' },
    { id: 'response', text: 'Ask the kernel.' },
  ];
  const answer = { statement: '', evidence: ['the kernel', 'murder'], score: 0 };
  const turn = spoken({
    answer,
    evidence: [
      { quote: 'the kernel', source: 'prompt', start: 11, end: 21, verified: true },
      { quote: 'murder', verified: false },
    ] as never,
  }) as Turn<typeof answer>;
  const found = (quotes: string[], among: typeof sources) => findEvidence(turn, role, quotes, among);
  expect(found(['the kernel'], sources)).toMatchObject([{ source: 'prompt', start: 11 }]);
  expect(found(['the kernel'], sources.slice(1))).toMatchObject([{ source: 'response', start: 4, end: 14 }]);
  expect(found(['the kernel'], [])).toEqual([]);
  expect(found(['murder', 'never said'], sources)).toEqual([]);
});

test('a journal in memory keeps the first entry of a place, and finds it by debate, key and hash', async () => {
  const journal = memoryJournal();
  const [first, second] = [spoken({ statement: 'First.' }), spoken({ statement: 'Second.' })];
  expect(await journal.insert('d', first, [])).toEqual(first);
  expect(await journal.insert('d', second, [])).toEqual(first);
  expect(await journal.find('d', 'a', place.inputHash)).toEqual(first);
  for (const [debate, key, hash] of [
    ['e', 'a', place.inputHash],
    ['d', 'b', place.inputHash],
    ['d', 'a', 'sha256:2'],
  ] as const)
    expect((await journal.find(debate, key, hash)) ?? null).toBeNull();
});
