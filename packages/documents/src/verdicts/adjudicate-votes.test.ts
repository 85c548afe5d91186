import { afterEach, describe, expect, test } from 'vitest';
import { refusal, status, type FakeRequest } from '@agonhq/test/fake-provider/index.ts';
import { boardClaimOf, startFakeBoardroom, type BoardScript } from '@agonhq/test/support/fake-boardroom.ts';
import { analysed, boardroomSetup, documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { findTurns } from '@agonhq/engine/debate';
import {
  buildDocumentsProvenance,
  judgeOpening,
  verifyAnalysis,
  type Analysis,
  type AnalyzeOptions,
  type DocumentPlan,
  type DocumentSeat,
  type Synthesis,
} from '../index.ts';

const campaign = 'Customers named the campaign as their reason to buy.';
const currency = 'A weaker currency also lifted reported revenue in APAC.';
const measured = {
  documents: [
    documentOf('report.md', [
      campaign,
      [
        ['Revenue in million USD', 'Q2 2024', 'Q3 2024'],
        ['APAC', '4.0', '4.6'],
        ['EMEA', '3.0', '2.7'],
      ],
    ]),
  ],
};
const growth = 'Revenue in APAC grew by 51% from Q2 2024 to Q3 2024.';
const claim = 'The campaign made customers buy.';
const yes: Partial<Synthesis> = {
  support: { why: 'The customers say so.', evidence: [campaign], holds: true, strength: 'full' },
  score: 0.8,
};
const no: Partial<Synthesis> = {
  contradiction: { why: 'The currency did it.', evidence: [currency], holds: true },
  score: 0.2,
};
const nothing: Partial<Synthesis> = { score: 0.4 };
const models = { affirmative: 'fake:a', dissenting: 'fake:d', synthesizer: 'fake:s' };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function boardroom(
  script: BoardScript,
  plan: Partial<DocumentPlan>,
  seated: Partial<Record<DocumentSeat, string>> = models,
) {
  const provider = await startFakeBoardroom(script);
  closers.push(provider.close);
  const setup = boardroomSetup(provider, plan, seated);
  return {
    provider,
    setup,
    examine: (options: AnalyzeOptions = {}, dossier = quarterlyReport) =>
      analysed(dossier, setup, { factors: [claim], ...options }),
  };
}

const voteOf = ({ prompt }: FakeRequest) => Number(/\bVote (\d+)\./.exec(prompt)?.[1]);
const keysOf = ({ transcript }: Analysis['claims'][number]) => transcript.map(({ key }) => key);
const isClean = (analysis: Analysis) =>
  expect(verifyAnalysis(analysis).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);

describe('a vote', () => {
  const voting = (said: Record<string, Partial<Synthesis>>) =>
    boardroom({ single: (request) => said[request.model] ?? nothing }, { method: 'vote' });

  test('asks the model of each seat alone, and the majority decides with its quotes', async () => {
    const { provider, examine } = await voting({ a: yes, d: no, s: yes });
    const analysis = await examine();
    const [answer] = analysis.claims;
    expect(keysOf(answer!)).toEqual(['claim-01/vote#1', 'claim-01/vote#2', 'claim-01/vote#3', 'claim-01/adjudication']);
    expect(findTurns(answer!.transcript).map(({ reasoner }) => reasoner)).toEqual(['fake:a', 'fake:d', 'fake:s']);
    expect(answer!.verdict).toMatchObject({
      label: 'supported',
      score: expect.closeTo(0.6, 9),
      confidence: null,
      escalate: false,
      evidence: [{ quote: campaign, verified: true }],
    });
    expect(answer!.verdict.rule).toEqual({
      id: 'majority',
      why: 'Of 3 vote(s), most say so (supported 2, contradicted 1). The customers say so.',
    });
    expect(answer!.verdict.evidence).toHaveLength(1);
    expect(
      provider.requests
        .slice(0, 3)
        .map(({ prompt }) => /Your seat: (\S+)\./.exec(prompt)![1]!)
        .toSorted(),
    ).toEqual(['vote#1', 'vote#2', 'vote#3']);
    expect(provider.requests.every(({ prompt }) => !prompt.includes('debate>>'))).toBe(true);
    expect(analysis.provenance).toMatchObject({
      protocol: 'every claim checked, at most 12 argued: independent vote of 3 examiners each; outlook',
      models: { affirmative: 'fake:a', dissenting: 'fake:d', synthesizer: 'fake:s' },
    });
    isClean(analysis);
  });

  test('that is split three ways decides nothing, and a person must look', async () => {
    const { examine } = await voting({ a: yes, d: no, s: nothing });
    const analysis = await examine();
    expect(analysis.claims[0]!.verdict).toMatchObject({
      label: 'undecided',
      escalate: true,
      evidence: [],
      rule: { id: 'tie', why: 'The votes were split (supported 1, contradicted 1, unsupported 1).' },
    });
    isClean(analysis);
  });

  test('counts only those who were heard', async () => {
    const { examine } = await boardroom(
      { single: (request) => (request.model === 'd' ? yes : refusal()) },
      { method: 'vote' },
    );
    const analysis = await examine();
    expect(analysis.claims[0]!.verdict).toMatchObject({
      label: 'supported',
      rule: { id: 'majority' },
      degraded: [{ kind: 'fallback' }, { kind: 'fallback' }],
    });
    const silent = await (await boardroom({ single: refusal() }, { method: 'vote' })).examine();
    expect(silent.claims[0]!.verdict).toMatchObject({
      label: 'undecided',
      score: null,
      escalate: true,
      rule: { id: 'nobody-heard' },
    });
    isClean(analysis);
    isClean(silent);
  });

  test('is not cast on numbers: a conflict with the claim decides, whatever the voters say', async () => {
    const { examine } = await voting({ a: yes, d: yes, s: yes });
    const analysis = await examine({ factors: [growth] }, measured);
    expect(analysis.claims[0]!.verdict).toMatchObject({
      label: 'contradicted',
      rule: { id: 'number-conflict' },
      degraded: [{ kind: 'score-contradicts-rule' }],
    });
    isClean(analysis);
  });

  test('whose scores are all the same has that very score', async () => {
    const { examine } = await voting({
      a: { ...nothing, score: 0.1 },
      d: { ...nothing, score: 0.1 },
      s: { ...nothing, score: 0.1 },
    });
    expect((await examine()).claims[0]!.verdict.score).toBe(0.1);
  });
});

describe('the control', () => {
  const control = (script: BoardScript) => boardroom(script, { method: 'control' });

  test('spends on a claim what the debate spent on it, and no more', async () => {
    const { provider, examine } = await control({ single: (request) => (voteOf(request) % 3 === 1 ? no : yes) });
    const one = await (await boardroom({ single: yes }, { method: 'single' })).examine();
    const each = one.claims[0]!.usage.inputTokens + one.claims[0]!.usage.outputTokens;
    const analysis = await examine({ tokens: Math.round(5.5 * each) });
    const { usage, transcript, verdict } = analysis.claims[0]!;
    expect(findTurns(transcript)).toHaveLength(5);
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(5.5 * each);
    expect(transcript.find(({ kind }) => kind === 'stop')).toMatchObject({ reason: 'tokens-spent' });
    expect(verdict).toMatchObject({
      label: 'supported',
      rule: { id: 'majority', why: expect.stringContaining('supported 3, contradicted 2') },
    });
    const votes = provider.requests.filter((request) => !Number.isNaN(voteOf(request)));
    expect(votes.map(({ model, body }) => [model, body.temperature])).toEqual(votes.map(() => ['s', 0.7]));
    expect(votes.map(voteOf)).toEqual([1, 2, 3, 4, 5]);
    isClean(analysis);
  });

  test('is told claim by claim what to spend; where that is not known it votes as often as the debate has turns', async () => {
    const { examine } = await control({ single: yes });
    const asked: string[] = [];
    const analysis = await examine({
      factors: [claim, 'The currency was weaker.'],
      tokens: (text) => {
        asked.push(text);
        return text === claim ? 1 : null;
      },
    });
    expect(asked.toSorted()).toEqual(['The campaign made customers buy.', 'The currency was weaker.']);
    expect(analysis.claims.map(({ transcript }) => findTurns(transcript).length)).toEqual([1, 4]);
    isClean(analysis);
  });

  test('whose model goes away stops, instead of asking on for tokens that nobody spends', async () => {
    const { provider, examine } = await control({ single: (request) => (voteOf(request) === 1 ? yes : status(500)) });
    const analysis = await examine({ tokens: 1_000_000 });
    expect(provider.requests.filter((request) => boardClaimOf(request) === claim)).toHaveLength(1 + 4);
    expect(analysis.claims[0]!.verdict).toMatchObject({ label: 'supported', rule: { id: 'majority' } });
    isClean(analysis);
  });

  test('an even split decides nothing', async () => {
    const { examine } = await control({ single: (request) => (voteOf(request) > 2 ? no : yes) });
    expect((await examine()).claims[0]!.verdict).toMatchObject({ label: 'undecided', rule: { id: 'tie' } });
  });
});

test('a forged majority shows', async () => {
  const { examine } = await boardroom({ single: (request) => (request.model === 'a' ? yes : no) }, { method: 'vote' });
  const analysis = await examine();
  const [answer] = analysis.claims;
  const forged = {
    ...analysis,
    claims: [{ ...answer!, verdict: { ...answer!.verdict, label: 'supported' as const } }],
  };
  expect(
    verifyAnalysis(forged)
      .filter(({ outcome }) => outcome === 'wrong')
      .map(({ name }) => name),
  ).toContain('rules');
});

test('each method is a configuration of its own', async () => {
  const { setup } = await boardroom({}, {});
  const configurations = (['debate', 'single', 'zero-shot', 'vote', 'control'] as const).map(
    (method) => buildDocumentsProvenance({ ...setup, plan: { ...setup.plan, method } }).configuration,
  );
  expect(new Set(configurations).size).toBe(5);
});

describe('what the opening alone would have come to', () => {
  const openedWith = async (opening: BoardScript['opening'], options?: AnalyzeOptions, dossier?: typeof measured) => {
    const attacks = [
      { premise: 1, kind: 'contradiction' as const, point: 'The currency did it.', evidence: [currency], missing: [] },
    ];
    const { examine } = await boardroom(
      { opening, 'cross-examination': { attacks }, synthesis: { ...no } },
      { method: 'debate' },
    );
    return judgeOpening((await examine(options, dossier)).claims[0]!);
  };
  const premises = [{ premise: 'They say so.', evidence: [campaign] }];

  test('supported where it scores above one half with a quote that stands, whatever came after it', async () => {
    expect(await openedWith({ premises, score: 0.7 })).toEqual({ label: 'supported' });
    expect(await openedWith({ premises: [{ premise: 'They say so.', evidence: ['Nowhere.'] }], score: 0.7 })).toEqual({
      label: 'unsupported',
    });
  });

  test('unsupported at one half or less', async () => {
    expect(await openedWith({ premises, score: 0.5 })).toEqual({ label: 'unsupported' });
  });

  test('what the numbers say of the claim, where they contradict it', async () => {
    expect(await openedWith({ premises, score: 0.9 }, { factors: [growth] }, measured)).toEqual({
      label: 'contradicted',
    });
  });

  test('nothing, where there was none or it fell back', async () => {
    expect(await openedWith(refusal())).toBeNull();
    const { examine } = await boardroom({ single: yes }, { method: 'single' });
    expect(judgeOpening((await examine()).claims[0]!)).toBeNull();
  });
});
