import { describe, expect, test } from 'vitest';
import type { SentModerationAnswer, SentTurn } from '../api/client.ts';
import { evaluation } from '../jobs/evaluation/index.ts';
import { moderation } from '../jobs/moderation/index.ts';
import { arrangeTurns, listPreviousTurns } from './debate-view.tsx';
import { endTrial, foldTrial, trialFromAnswer } from './fold-trial.ts';
import { listRuleSteps } from './rule-steps.tsx';
import { collectQuotations } from './quotations.ts';
import { collectScores, describeScores } from './score-chart.tsx';
import { listSubjectParts } from './subject-parts.ts';
import { newTrial, readSource, type SentTrialEvent } from './trial-view.ts';

const text = 'How do I kill a process on Linux without losing data?';
const usage = { calls: 1, inputTokens: 10, outputTokens: 5, cachedTokens: 0, costUsd: null };
const at = { debate: 'mod-1', scope: null };

function evidenceOf(quote: string): SentTurn['evidence'][number] {
  const start = text.indexOf(quote);
  return start < 0
    ? { quote, source: null, verified: false }
    : { quote, source: 'text', start, end: start + quote.length, verified: true };
}

function turn(
  seat: string,
  round: number | null,
  said: Partial<SentTurn> = {},
  quotes: readonly string[] = [],
): SentTurn {
  return {
    kind: 'turn',
    key: round === null ? seat : `round-${round}/${seat}`,
    inputHash: 'h',
    seat,
    role: seat,
    round,
    statement: `${seat} speaks.`,
    score: 0.5,
    evidence: quotes.map(evidenceOf),
    answer: {},
    reasoner: 'fake:panel',
    usage,
    latencyMs: 12,
    ...said,
  };
}

const started = ({ key, seat, role, round, reasoner }: SentTurn): SentTrialEvent => ({
  type: 'turn-start',
  ...at,
  key,
  seat,
  role,
  round,
  reasoner,
});
const ended = (spoken: SentTurn, replayed = false): SentTrialEvent => ({
  type: 'turn-end',
  ...at,
  key: spoken.key,
  turn: spoken,
  replayed,
});
const delta = ({ key, seat }: SentTurn, words: string): SentTrialEvent => ({
  type: 'turn-delta',
  ...at,
  key,
  seat,
  delta: words,
});

const strict = turn('strict-debater', 1, { score: 0.8 }, ['kill a process', 'made up']);
const loose = turn('loose-debater', 1, { score: 0.1 }, ['on Linux']);
const strictAgain = turn('strict-debater', 2, { score: 0.3 }, ['kill a process']);
const findings = {
  exoneration: { why: 'It is about computers.', evidence: ['on Linux'], holds: true },
  risk: { why: 'None.', evidence: [], holds: false, clauses: [] },
};
const arbiter = turn('arbiter', null, { score: 0.1, answer: { statement: 'Safe.', ...findings } }, ['on Linux']);
const verdict = {
  label: 'safe',
  risk: 0.1,
  bar: 0.5,
  escalate: false,
  rule: { id: 'contextual-exoneration', why: 'It is about computers.' },
  categories: [],
  evidence: [evidenceOf('on Linux')],
  degraded: [],
} as SentModerationAnswer['verdict'];
const adjudication = {
  kind: 'computed' as const,
  key: 'adjudication',
  inputHash: 'h',
  name: 'adjudication',
  round: null,
  value: verdict,
};
const answer = {
  version: 1,
  id: 'mod-1',
  job: 'moderation',
  subject: { id: null, hash: 'h', modality: 'text', images: [] },
  sources: [{ id: 'text', text }],
  verdict,
  transcript: [
    strict,
    loose,
    strictAgain,
    { kind: 'stop', key: 'stop', round: 2, reason: 'sides-agree' },
    arbiter,
    adjudication,
  ],
  precedents: [],
  usage: { ...usage, latencyMs: 1, byModel: {}, bySeat: {} },
  provenance: {
    agon: '1',
    protocol: '',
    policy: { name: 'p', version: '1', hash: 'h' },
    prompts: '',
    models: {},
    precedents: null,
    configuration: 'c',
  },
  sealVersion: 1,
  seal: 's',
} as SentModerationAnswer;
const events: SentTrialEvent[] = [
  { type: 'case-ready', ...at, caseFile: { sources: answer.sources } },
  started(strict),
  started(loose),
  delta(strict, 'strict-debater '),
  delta(strict, 'speaks.'),
  ended(strict),
  ended(loose),
  { type: 'round-end', ...at, round: 1, stop: null },
  started(strictAgain),
  ended(strictAgain),
  { type: 'round-end', ...at, round: 2, stop: 'sides-agree' },
  started(arbiter),
  ended(arbiter),
  { type: 'compute-end', ...at, key: 'adjudication', computed: adjudication, replayed: false },
  { type: 'debate-end', ...at },
];

describe('a trial on its way', () => {
  test('shows the words of a turn as they come, then what was said', () => {
    const speaking = foldTrial(newTrial(moderation), events.slice(0, 5));
    expect(speaking.turns.get(strict.key)).toMatchObject({
      state: 'speaking',
      statement: 'strict-debater speaks.',
      score: null,
    });
    expect(foldTrial(speaking, [events[5]!]).turns.get(strict.key)).toMatchObject({
      state: 'said',
      score: 0.8,
      evidence: strict.evidence,
      latencyMs: 12,
      replayed: false,
    });
  });

  test('is the same however its events are cut into pieces', () => {
    const oneByOne = events.reduce((view, event) => foldTrial(view, [event]), newTrial(moderation));
    expect(oneByOne).toEqual(foldTrial(newTrial(moderation), events));
  });

  test('passes over events that a later version may send', () => {
    const view = foldTrial(newTrial(moderation), events);
    expect(foldTrial(view, [{ type: 'jury-sworn', ...at } as unknown as SentTrialEvent])).toEqual(view);
  });

  test('shows a turn once that is told again after a lost connection', () => {
    const view = foldTrial(newTrial(moderation), [
      ...events,
      started(strict),
      delta(strict, 'again'),
      ended(strict, true),
    ]);
    expect([...view.turns.keys()]).toEqual([strict.key, loose.key, strictAgain.key, arbiter.key]);
    expect(view.turns.get(strict.key)!.statement).toBe(strict.statement);
  });

  test('keeps what a turn has said so far when its start is told again', () => {
    const view = foldTrial(newTrial(moderation), [started(strict), delta(strict, 'It tells how'), started(strict)]);
    expect(view.turns.get(strict.key)).toMatchObject({ state: 'speaking', statement: 'It tells how' });
  });

  test('leaves turns alone that did not change, so that they are not drawn again', () => {
    const view = foldTrial(newTrial(moderation), events.slice(0, 6));
    const next = foldTrial(view, events.slice(6, 9));
    expect(next.turns.get(strict.key)).toBe(view.turns.get(strict.key));
    expect(foldTrial(next, [{ type: 'answer', answer }]).turns.get(strict.key)).toBe(view.turns.get(strict.key));
  });

  test('keeps what was said when it is stopped, and says what was cut short', () => {
    const stopped = endTrial(foldTrial(newTrial(moderation), [...events.slice(0, 4), ended(loose)]), 'stopped');
    expect([...stopped.turns.values()].map(({ seat, state }) => [seat, state])).toEqual([
      ['strict-debater', 'cut'],
      ['loose-debater', 'said'],
    ]);
  });
});

describe('an answer on record', () => {
  test('is seen as its trial was', () => {
    const live = foldTrial(newTrial(moderation), events);
    const { turns, computed, stops, sources, verdict: decided } = trialFromAnswer(moderation, answer);
    expect({ turns, computed, stops, sources, verdict: decided }).toEqual({
      turns: live.turns,
      computed: live.computed,
      stops: live.stops,
      sources: live.sources,
      verdict: live.verdict,
    });
  });

  test('may come within a retrial', () => {
    expect(
      foldTrial(newTrial(moderation), [{ type: 'answer', answer: { how: 'replay', of: 'mod-0', answer } }]),
    ).toEqual(trialFromAnswer(moderation, answer));
  });

  test('of a single judge or of votes has no rules to apply', () => {
    const judge = turn('judge', null, { score: 0.9 }, ['kill a process']);
    const view = trialFromAnswer(moderation, {
      ...answer,
      transcript: [judge],
      provenance: { ...answer.provenance, method: 'judge' },
    });
    expect(listRuleSteps(view)).toBeNull();
    expect(arrangeTurns(view).rounds).toMatchObject([{ round: null, turns: [{ seat: 'judge' }] }]);
    expect(collectQuotations(view).get('text')).toContainEqual(
      expect.objectContaining({ tone: 'risk', speaker: 'Judge' }),
    );
  });
});

describe('what is drawn of a trial', () => {
  const view = trialFromAnswer(moderation, answer);

  test('has its turns by round, and what each score was before', () => {
    const { rounds, closing: last } = arrangeTurns(view);
    expect(rounds.map(({ round, turns, stop }) => [round, turns.map(({ seat }) => seat), stop])).toEqual([
      [1, ['strict-debater', 'loose-debater'], null],
      [2, ['strict-debater'], 'sides-agree'],
    ]);
    expect(last?.key).toBe('arbiter');
    expect([...listPreviousTurns(view)].map(([key, { score }]) => [key, score])).toEqual([[strictAgain.key, 0.8]]);
  });

  test('has quotations by side, and none that were struck', () => {
    const quoted = collectQuotations(view)
      .get('text')!
      .map(({ start, end, tone, speaker }) => [text.slice(start, end), tone, speaker]);
    expect(quoted).toEqual([
      ['kill a process', 'risk', 'Strict debater'],
      ['on Linux', 'exoneration', 'Loose debater'],
      ['on Linux', 'exoneration', 'Arbiter'],
      ['on Linux', 'exoneration', 'Verdict'],
    ]);
  });

  test('has the rules waiting for the arbiter, then ticking through to the one that decides', () => {
    expect(listRuleSteps(foldTrial(newTrial(moderation), events.slice(0, 6)))!.steps.map(({ state }) => state)).toEqual(
      ['waiting', 'waiting', 'waiting'],
    );
    const { steps, outcome } = listRuleSteps(view)!;
    expect(steps.map(({ state }) => state)).toEqual(['decided', 'not-reached', 'not-reached']);
    expect(steps[0]).toMatchObject({ why: 'It is about computers.', evidence: [{ quote: 'on Linux' }] });
    expect(outcome).toBeNull();
  });

  test('has scores over the rounds up to the verdict, in words too', () => {
    expect(describeScores(collectScores(view))).toBe(
      'Strict debater: Round 1 0.80, Round 2 0.30. Loose debater: Round 1 0.10. Verdict: Verdict 0.10.',
    );
  });

  test('has an exchange in the order in which it was said, images with what was observed in them', () => {
    const sources = evaluation.readSources([
      { id: 'response', text: 'No.' },
      { id: 'prompt', text: 'Well?' },
      { id: 'system', text: 'Be brief.' },
    ]);
    expect(sources.map(({ id, speaker, isAnswer }) => [id, speaker, isAnswer])).toEqual([
      ['system', 'System', false],
      ['prompt', 'User', false],
      ['response', 'Assistant', true],
    ]);
    const seen = [readSource({ id: 'image-1/description', text: 'A loaf.', tool: 'vision', of: 'image-1' })];
    expect(listSubjectParts(newTrial(moderation, { sources: seen })).parts).toMatchObject([
      { id: 'image-1', observations: [{ id: 'image-1/description' }] },
    ]);
  });
});
