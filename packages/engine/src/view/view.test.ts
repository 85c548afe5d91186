import { describe, expect, test } from 'vitest';
import { noUsage, type Turn } from '../debate/index.ts';
import { anchorTurn, collectCitations, findPassages, type Quoter } from './citations.ts';
import { viewDebate, type DebateTerms } from './debate-view.ts';
import {
  describeLabel,
  formatDollars,
  formatPlural,
  formatSeconds,
  formatSpan,
  groupDegradations,
  nameSeat,
  nameSpeaker,
  nameRule,
} from './describe.ts';
import { findMoment } from './find-moment.ts';
import { listSteps, type LadderRule } from './ladder.ts';
import { readDistribution, readFindings, readStance, toRecord, toTexts } from './read-turn.ts';
import { describeRisk, viewRisk, viewScore, viewVerdictRisk } from './risk.ts';

const text = 'How do I kill a process? Kill it.';
const sources = [
  { id: 'text', text },
  { id: 'note', text: 'A note.' },
];
const piece = (source: string, start: number, end: number) =>
  ({ source, start, end, quote: 'whatever is said', verified: true }) as const;
const struck = { quote: 'murder', verified: false } as never;
const quoterOf = (anchor: string): Quoter => ({ anchor, speaker: anchor, side: 'risk' });
const fallback = { reason: 'timeout', detail: '' } as const;

function turnOf(seat: string, overrides: Partial<Turn> = {}): Turn {
  return {
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role: seat,
    round: null,
    statement: '',
    score: null,
    evidence: [],
    answer: {},
    reasoner: 'm',
    usage: noUsage,
    latencyMs: 0,
    ...overrides,
  };
}

describe('citations', () => {
  const quotations = [
    { evidence: piece('note', 2, 6), quoter: quoterOf('turn-1') },
    { evidence: piece('text', 9, 23), quoter: quoterOf('turn-1') },
    { evidence: piece('text', 9, 13), quoter: quoterOf('turn-2') },
    { evidence: piece('text', 0, 3), quoter: quoterOf('turn-3') },
    { evidence: piece('text', 9, 23), quoter: quoterOf('verdict') },
    { evidence: piece('text', 9, 23), quoter: quoterOf('turn-1') },
  ];
  const citations = collectCitations(sources, quotations);

  test('are numbered as they are read, in the source’s own words, each with all who quote it once', () => {
    expect(
      citations.passages.map(({ number, source, quote, quoters }) => [
        number,
        source,
        quote,
        quoters.map(({ anchor }) => anchor),
      ]),
    ).toEqual([
      [1, 'text', 'How', ['turn-3']],
      [2, 'text', 'kill', ['turn-2']],
      [3, 'text', 'kill a process', ['turn-1', 'verdict']],
      [4, 'note', 'note', ['turn-1']],
    ]);
    expect(citations.numberOf(piece('text', 9, 23))).toBe(3);
    expect(citations.numberOf(piece('note', 9, 23))).toBeUndefined();
    expect(findPassages(citations, sources[1]!).map(({ number }) => number)).toEqual([4]);
  });

  test('have no passage for what was struck, for what is in no source, or for a place outside of it', () => {
    const odd = [
      struck,
      piece('other', 0, 3),
      piece('text', 3, 3),
      piece('text', -1, 3),
      piece('text', 30, 99),
      piece('text', 0.5, 3),
      piece('text', 0, 2.5),
    ];
    expect(
      collectCitations(
        sources,
        odd.map((evidence) => ({ evidence, quoter: quoterOf('a') })),
      ).passages,
    ).toEqual([]);
    expect(citations.numberOf(struck)).toBeUndefined();
    expect(
      collectCitations(sources, [{ evidence: piece('text', 0, text.length), quoter: quoterOf('a') }]).passages,
    ).toHaveLength(1);
  });

  test('lead to turns by their place among the turns', () => {
    const [one, two] = [turnOf('a'), turnOf('b')];
    const transcript = [one, { kind: 'stop', key: 's', round: 1, reason: 'x' } as const, two];
    expect([anchorTurn({ transcript }, one), anchorTurn({ transcript }, two)]).toEqual(['turn-1', 'turn-2']);
  });
});

describe('the ladder of rules', () => {
  const ruleOf = (title: string, finding: LadderRule['finding'], evidence: readonly object[] = []): LadderRule => ({
    title,
    question: `${title}?`,
    applied: `${title} applied`,
    passed: `${title} passed`,
    notChecked: `${title} not checked`,
    finding,
    evidence: evidence as never,
  });
  const holds = { why: 'It holds.', holds: true };
  const fails = { why: 'It does not.', holds: false };
  const explained = (rules: LadderRule[], decided: number) =>
    listSteps(rules, decided, 'text').map(({ state, explanation }) => `${state}: ${explanation}`);

  test('says of each what became of it, up to the one that decided', () => {
    expect(explained([ruleOf('A', fails), ruleOf('B', holds), ruleOf('C', holds)], 1)).toEqual([
      'passed: A passed',
      'decided: B applied',
      'not-reached: Not needed: Rule 2 had decided.',
    ]);
    expect(explained([ruleOf('A', null), ruleOf('B', fails)], -1)).toEqual([
      'not-checked: A not checked',
      'passed: B passed',
    ]);
    expect(listSteps([ruleOf('A', fails)], 0, 'text')).toMatchObject([
      { number: 1, title: 'A', question: 'A?', why: 'It does not.', evidence: [] },
    ]);
  });

  test('says of a finding that holds and did not decide why it could not', () => {
    const [without, withOne] = [[struck], [struck, piece('text', 0, 3)]].map(
      (evidence) => explained([ruleOf('A', holds, evidence)], -1)[0],
    );
    expect(without).toContain('none of its quotations is in the text');
    expect(withOne).toContain('this finding did not decide');
  });
});

describe('what a turn says', () => {
  test('is read with care: odd members are none', () => {
    expect([toRecord([1]), toRecord(null), toRecord('a'), toRecord({ a: 1 })]).toEqual([{}, {}, {}, { a: 1 }]);
    expect([toTexts(['a', 1, 'b']), toTexts('a')]).toEqual([['a', 'b'], []]);
    expect(readStance({})).toEqual({
      label: null,
      behaviour: null,
      concession: null,
      clauses: [],
      distribution: null,
      objections: [],
      patterns: [],
      cues: [],
    });
    expect(
      readStance({ answer: { label: 1, clauses: 'S1', objections: [1, { to: 2 }], cues: 'x', concession: '' } }),
    ).toMatchObject({
      label: null,
      clauses: [],
      concession: null,
      cues: [],
      objections: [
        { to: '', kind: '', point: '', material: false },
        { to: '', kind: '', point: '', material: false },
      ],
    });
  });

  test('is its label, clauses and all it objects to; of one that was not heard neither label nor cues', () => {
    const answer = {
      label: 'unsafe',
      behaviour: 'complied',
      concession: 'Granted.',
      clauses: ['S1'],
      objections: [{ to: 'auditor', kind: 'flaw', point: 'No.', material: true }],
      patterns: ['p'],
      cues: [{ precedent: 'k1', cue: 'c', difference: 'd' }],
    };
    expect(readStance({ answer })).toEqual({ ...answer, distribution: null });
    expect(readStance({ answer, fallback })).toMatchObject({
      label: null,
      behaviour: null,
      patterns: [],
      cues: [],
      concession: 'Granted.',
      clauses: ['S1'],
    });
  });

  test('has shares of sum one, where all three are stated', () => {
    expect(readDistribution({ explicit: 1, implicit: 2, none: 5 })).toEqual({
      explicit: 0.125,
      implicit: 0.25,
      none: 0.625,
    });
    for (const odd of [
      { explicit: 1, implicit: 1 },
      { explicit: -1, implicit: 1, none: 1 },
      { explicit: 0, implicit: 0, none: 0 },
      { explicit: Infinity, implicit: 1, none: 1 },
      null,
    ])
      expect(readDistribution(odd)).toBeNull();
  });

  test('of an arbiter has each finding’s evidence, in the order of its findings', () => {
    const evidence = [piece('text', 0, 1), piece('text', 1, 2), piece('text', 2, 3)];
    const answer = {
      first: { why: 'A', holds: true, evidence: ['a', 'b'] },
      second: { why: 'B', holds: 'yes', evidence: ['c'] },
    };
    const found = readFindings({ answer, evidence }, ['first', 'second', 'third']);
    expect(found.get('first')).toEqual({ why: 'A', holds: true, evidence: evidence.slice(0, 2) });
    expect(found.get('second')).toEqual({ why: 'B', holds: false, evidence: evidence.slice(2) });
    expect(found.get('third')).toEqual({ why: '', holds: false, evidence: [] });
  });
});

describe('when something is said or shown', () => {
  const film = {
    id: 'video-1/transcript',
    text: 'one two three',
    of: 'video-1/frame-2',
    moments: [
      { start: 0, end: 4, from: 1, to: 2 },
      { start: 4, end: 8, from: 5, to: 7 },
      { start: 8, end: 13, from: 9, to: 12 },
    ],
  };
  const decoded = { id: 'decoded-1', text: 'x', of: 'video-1/transcript' };
  const plain = { id: 'text', text: 'x' };

  test('is when the passages that it touches are, in the recording itself', () => {
    const at = (start: number, end: number) => findMoment(film, { start, end }, [film]);
    expect(at(5, 6)).toEqual({ of: 'video-1', from: 5, to: 7 });
    expect(at(3, 5)).toEqual({ of: 'video-1', from: 1, to: 7 });
    expect(at(4, 8)).toEqual({ of: 'video-1', from: 5, to: 7 });
    expect(at(20, 21)).toEqual({ of: 'video-1', from: 1, to: 12 });
  });

  test('of what was drawn from it is all of it, and of anything else never', () => {
    expect(findMoment(decoded, { start: 0, end: 1 }, [plain, film])).toEqual({ of: 'video-1', from: 1, to: 12 });
    expect(findMoment(decoded, { start: 0, end: 1 }, [plain])).toBeNull();
    expect(findMoment(plain, { start: 0, end: 1 }, [film])).toBeNull();
  });

  test('is told in minutes, from its beginning to its end', () => {
    const spans = [
      [7, 9],
      [7.9, 7.9],
      [7.2, 8.1],
      [59.9, 61],
      [3599, 3661.5],
      [7, 7.5],
    ] as const;
    expect(spans.map(([from, to]) => formatSpan({ from, to }))).toEqual([
      '0:07–0:09',
      '0:07',
      '0:07–0:09',
      '0:59–1:01',
      '59:59–1:01:02',
      '0:07–0:08',
    ]);
  });
});

test('a risk is shown beside its bar, from which on it counts', () => {
  expect(viewRisk(0.5, 0.5)).toEqual({ value: 0.5, bar: 0.5, text: '0.50', barText: '0.50', isAbove: true });
  expect(viewRisk(0.4999, 0.5)).toMatchObject({ text: '0.4999', barText: '0.5000', isAbove: false });
  expect([
    viewScore(null, null),
    viewVerdictRisk({ risk: null, bar: 0.5 }),
    viewVerdictRisk({ risk: 0.5, bar: null }),
  ]).toEqual([null, null, null]);
  expect([describeRisk(null), describeRisk(viewScore(0.9, null))]).toEqual(['none', '0.90, bar 0.50']);
});

test('names, counts, times and sums are written as a person writes them', () => {
  expect([
    nameSeat('strict-debater'),
    nameSeat('auditor#2'),
    nameSpeaker({ seat: 'peer#1', round: 2 }),
    nameSpeaker({ seat: 'control', round: 3 }),
    nameSpeaker({ seat: 'arbiter', round: null }),
  ]).toEqual(['Strict debater', 'Auditor 2', 'Peer 1, round 2', 'Vote 3', 'Arbiter']);
  expect([formatPlural(1, 'vote'), formatPlural(0, 'vote'), formatPlural(1200, 'vote')]).toEqual([
    '1 vote',
    '0 votes',
    '1,200 votes',
  ]);
  expect([formatSeconds(9_940), formatSeconds(10_000), formatSeconds(61_499)]).toEqual(['9.9 s', '10 s', '61 s']);
  expect([null, 0, 0.0999, 0.1, 12].map(formatDollars)).toEqual(['unknown', '$0', '$0.09990', '$0.10', '$12.00']);
  expect([describeLabel('safe').title, describeLabel('odd')]).toEqual([
    'Safe',
    { label: 'undecided', title: 'odd', meaning: '' },
  ]);
  expect([nameRule('tie'), nameRule('no-such-rule'), nameRule('toString')]).toEqual([
    'nobody: the votes are split',
    'no such rule',
    'toString',
  ]);
  expect(
    groupDegradations([
      { kind: 'fallback', at: 'a', detail: 'late' },
      { kind: 'fallback', at: 'b', detail: 'late' },
      { kind: 'fallback', at: 'c', detail: 'gone' },
    ]),
  ).toEqual([
    { kind: 'fallback', places: ['a', 'b'], detail: 'late' },
    { kind: 'fallback', places: ['c'], detail: 'gone' },
  ]);
});

describe('a debate as a reader sees it', () => {
  const terms: DebateTerms = {
    isRisk: true,
    subject: 'text',
    methods: { debate: { title: 'Debate', how: 'They argue.' }, vote: { title: 'Votes', how: 'They vote.' } },
    rules: [
      {
        ids: ['rule-1', 'rule-1b'],
        title: 'Rule 1',
        question: '?',
        applied: 'applied',
        passed: 'passed',
        finding: { name: 'risk', holds: 'risk', fails: 'exoneration' },
      },
    ],
    notApplied: 'not applied',
    deciders: { 'rule-1': 'the first rule' },
    outcomes: { tie: 'nobody won' },
    stops: { done: 'All was said.' },
    parts: { strict: 'argues against' },
    sides: { strict: 'risk' },
  };
  const verdict = (overrides: object = {}) => ({
    label: 'unsafe',
    risk: 0.9,
    bar: 0.5,
    escalate: false,
    rule: { id: 'rule-1', why: '' },
    categories: [],
    evidence: [piece('text', 9, 23)],
    degraded: [],
    ...overrides,
  });
  const view = (
    transcript: readonly object[],
    more: { verdict?: object; provenance?: object; method?: string; terms?: object } = {},
  ) =>
    viewDebate(
      {
        transcript,
        verdict: verdict(more.verdict),
        ...(more.provenance ? { provenance: more.provenance } : {}),
      } as never,
      { ...terms, ...more.terms },
      { method: more.method, verdictSide: 'risk' },
    );
  const arbiter = turnOf('arbiter', {
    answer: { risk: { why: 'It is.', holds: true, evidence: ['a'] } },
    evidence: [piece('text', 0, 3)],
  });
  const round = (seat: string, at: number, more: Partial<Turn> = {}) =>
    turnOf(seat, { round: at, score: 0.7, ...more });

  test('has rounds with who faces whom, why they ended, and what each said before', () => {
    const {
      rounds,
      method,
      isDebate,
      arbiter: judge,
      turns,
    } = view([
      turnOf('supporter'),
      round('loose', 1),
      round('strict', 1),
      round('critic', 1),
      round('strict', 2),
      { kind: 'stop', key: 's', round: 2, reason: 'done' },
      arbiter,
    ]);
    expect([method.title, isDebate, judge?.turn.seat]).toEqual(['Debate', true, 'arbiter']);
    const seatsOf = (views: readonly { turn: Turn }[]) => views.map(({ turn }) => turn.seat);
    expect(rounds.map(({ title, turns: inRound }) => [title, seatsOf(inRound)])).toEqual([
      ['Round 1', ['loose', 'strict', 'critic']],
      ['Round 2', ['strict']],
    ]);
    expect(rounds.map(({ stop }) => stop)).toEqual([null, { id: 'done', words: 'All was said.' }]);
    expect(turns[4]!.previous?.title).toBe('Strict, round 1');
    expect(turns[2]!.side).toBe('risk');
    expect(turns[2]).toMatchObject({
      name: 'Strict',
      title: 'Strict, round 1',
      anchor: 'turn-3',
      risk: { text: '0.70' },
    });
  });

  test('remembers of a seat its last turn that was heard', () => {
    const { turns } = view([round('strict', 1), round('strict', 2, { fallback }), round('strict', 3)]);
    expect(turns[2]!.previous?.turn.round).toBe(1);
  });

  test('says which rule decided, by what finding, and who quotes what for what', () => {
    const { ladder, decidedBy, quotations, votes, tally, outcome } = view([
      round('strict', 1, { evidence: [piece('text', 1, 2)] }),
      arbiter,
    ]);
    expect(decidedBy).toEqual({ id: 'rule-1', words: 'the first rule' });
    expect(ladder).toMatchObject({
      outcome: null,
      steps: [{ state: 'decided', why: 'It is.', evidence: arbiter.evidence }],
    });
    expect(quotations.map(({ quoter }) => [quoter.anchor, quoter.speaker, quoter.side])).toEqual([
      ['turn-1', 'Strict, round 1', 'risk'],
      ['rule-1', 'Arbiter', 'risk'],
      ['verdict', 'Verdict', 'risk'],
    ]);
    expect([votes, tally, outcome]).toEqual([[], null, null]);
    const failing = { ...arbiter, answer: { risk: { why: '', holds: false, evidence: ['a'] } } };
    expect(view([failing], { verdict: { rule: { id: 'tie', why: '' } } })).toMatchObject({
      ladder: { outcome: 'nobody won', steps: [{ state: 'passed' }] },
      quotations: [{ quoter: { side: 'exoneration' } }, {}],
    });
    expect(view([{ ...arbiter, fallback }]).ladder!.steps[0]!.state).toBe('decided');
    expect(
      view([{ ...arbiter, fallback }], { verdict: { rule: { id: 'x', why: '' } } }).ladder!.steps[0],
    ).toMatchObject({
      state: 'not-checked',
      explanation: 'Not checked: the arbiter gave no usable answer.',
    });
  });

  const vote = (seat: string, label: string | null, more: Partial<Turn> = {}) =>
    turnOf(seat, { role: 'judge', score: 0.5, answer: label === null ? {} : { label }, ...more });

  test('counts the votes where votes decided: the last of each seat that was heard, and no critic’s', () => {
    const { votes, tally, ladder, rounds } = view(
      [
        vote('vote#1', 'unsafe', { round: 1 }),
        vote('vote#2', 'unsafe', { round: 1 }),
        vote('vote#3', 'safe', { round: 1 }),
        vote('critic', 'unsafe', { role: 'critic', round: 1 }),
        vote('vote#2', 'safe', { round: 2 }),
        vote('vote#1', 'safe', { round: 2, fallback }),
        vote('vote#4', null, { round: 2, fallback }),
      ],
      { method: 'vote' },
    );
    expect(votes.map(({ turn, vote: cast }) => [turn.seat, turn.round, cast])).toEqual([
      ['vote#1', 1, 'unsafe'],
      ['vote#2', 2, 'safe'],
      ['vote#3', 1, 'safe'],
      ['vote#4', 2, null],
    ]);
    expect(tally).toBe('4 votes: 1 unsafe, 2 safe, 1 without an answer.');
    expect(ladder).toBeNull();
    expect(rounds).toHaveLength(2);
  });

  test('takes a judge that states no label by its score, from one half on', () => {
    const cast = [0.5, 0.49].map((score) => view([vote('judge', null, { score })]).votes[0]!.vote);
    expect(cast).toEqual(['unsafe', 'safe']);
  });

  test('counts every vote of a control, as votes and not as rounds', () => {
    const transcript = [1, 2].map((at) => vote('control', 'safe', { round: at }));
    const { method, votes, rounds, turns } = view(transcript);
    expect(method.id).toBe('control');
    expect(votes).toHaveLength(2);
    expect(rounds.map(({ title, turns: { length } }) => [title, length])).toEqual([['Votes', 2]]);
    expect(turns.map(({ name, previous }) => [name, previous])).toEqual([
      ['Vote 1', undefined],
      ['Vote 2', undefined],
    ]);
  });

  test('tells by its seats how it was judged, where the record does not say', () => {
    const methodOf = (seat: string, given?: string) =>
      view([vote(seat, 'safe')], given ? { method: given } : {}).method.id;
    expect([
      methodOf('vote#1'),
      methodOf('peer#1'),
      methodOf('control'),
      methodOf('judge'),
      view([arbiter]).method.id,
    ]).toEqual(['vote', 'role-free', 'control', 'judge', 'debate']);
    expect([methodOf('peer#1', 'vote'), methodOf('peer#1', 'unheard-of')]).toEqual(['vote', 'role-free']);
  });

  test('of a job without risk shows scores as they are', () => {
    const { risk, turns } = view([round('strict', 1)], { terms: { isRisk: false } });
    expect([risk, turns[0]!.risk]).toEqual([null, null]);
    expect(view([round('strict', 1)]).risk).toMatchObject({ text: '0.90' });
    expect(view([], { provenance: { sensitivity: 'high' } }).sensitivity).toBe('high');
    expect(view([]).sensitivity).toBeNull();
    expect(
      view([vote('vote#1', 'safe')], { verdict: { label: 'undecided', rule: { id: 'tie', why: '' } } }).outcome,
    ).toBe('nobody won');
  });

  test('where an arbiter without given sides fell silent, the votes of the others decide', () => {
    const silent = [vote('auditor', 'unsafe', { role: 'auditor', round: 1 }), { ...arbiter, fallback }];
    expect(view(silent, { terms: { sides: {} } }).votes).toHaveLength(1);
    expect(view(silent).votes).toEqual([]);
    expect(view([silent[0]!, arbiter], { terms: { sides: {} } }).votes).toEqual([]);
  });
});
