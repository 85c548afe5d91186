import { describe, expect, test } from 'vitest';
import { documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { noUsage, type Entry, type FailureReason } from '@agonhq/engine/debate';
import { verifyQuotes } from '@agonhq/engine/evidence';
import { searchAbsences } from '../grounding/search-absences.ts';
import { adjudicateClaim } from './adjudicate-claim.ts';
import { claimRules } from './claim-rules.ts';
import type { Claim } from '../analysis.ts';
import type { CrossExamination, Opening, Rebuttal, Synthesis } from '../answers.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { openClaim } from '../claims/open-claim.ts';

/** Who speaks from a seat. */
const roles: Record<string, string> = {
  opening: 'affirmative',
  'cross-examination': 'dissenting',
  rebuttal: 'affirmative',
  synthesis: 'synthesizer',
};

const campaign = 'Customers named the campaign as their reason to buy.';
const currency = 'A weaker currency also lifted reported revenue in APAC.';
const ownSentence = 'The marketing strategy was the primary driver of growth in APAC.';
const start = quarterlyReport.documents[0]!.text.indexOf(ownSentence);
const claim: Claim = {
  id: 'claim-01',
  text: 'Marketing drove growth.',
  kind: 'causal',
  domain: '',
  importance: 1,
  origin: { block: 'report.md#b2', start, end: start + ownSentence.length },
};

type Attack = CrossExamination['attacks'][number];
const attack = (kind: Attack['kind'], rest: Partial<Attack> = {}): Attack => ({
  premise: 0,
  kind,
  point: 'It does not follow.',
  evidence: [currency],
  missing: [],
  ...rest,
});
const support = (strength: 'none' | 'partial' | 'full', evidence: string[] = [campaign], holds = true) => ({
  why: 'It is said.',
  evidence,
  holds,
  strength,
});
const conflict: NumberFinding = {
  id: 'n1',
  check: 'growth',
  outcome: 'conflict',
  statement: 'The growth is not 15 %.',
  arithmetic: '(4.7 − 4.0) / 4.0 = 17.5 %',
  gap: 0.025,
  places: [{ block: 'report.md#b2', start: start + 1, end: start + 5 }],
};

const held: NumberFinding = { ...conflict, outcome: 'holds' };

interface Case {
  opening?: Partial<Opening>;
  attacks?: Attack[];
  rebuttal?: Partial<Rebuttal>;
  synthesis?: Partial<Synthesis>;
  /** Which seats fell back, and why. */
  silent?: Partial<Record<string, FailureReason>>;
  numbers?: NumberFinding[];
  own?: number;
  /** How much of the claim code has shown. */
  cover?: 'whole' | 'part' | 'none';
  /** Nobody debated it. */
  isUndebated?: true;
}

function verdict({
  opening,
  attacks = [attack('fallacy', { evidence: [] })],
  rebuttal,
  synthesis,
  silent = {},
  numbers = [],
  own = 0,
  cover = 'whole',
  isUndebated,
}: Case) {
  const caseFile = openClaim(claim, quarterlyReport, numbers, [], { blocks: 20, characters: 60_000 });
  const said = (seat: string, answer: { score: number }, quotes: readonly string[]): Entry => ({
    kind: 'turn',
    key: seat,
    inputHash: '',
    seat,
    role: roles[seat] ?? seat,
    round: null,
    statement: '',
    score: answer.score,
    evidence: verifyQuotes(quotes, caseFile.sources),
    answer,
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
    ...(silent[seat] ? { fallback: { reason: silent[seat], detail: 'detail' } } : {}),
  });
  if (isUndebated) return adjudicateClaim([], { caseFile, own, cover });
  const dissent = { statement: '', attacks, score: 0.3 };
  const findings: Synthesis = {
    statement: '',
    support: support('full'),
    contradiction: { why: '', evidence: [], holds: false },
    standing: [],
    confidence: 0.7,
    score: 0.5,
    ...synthesis,
  };
  const before = [
    said('opening', { statement: '', premises: [], score: 0.7, ...opening }, []),
    said(
      'cross-examination',
      dissent,
      attacks.flatMap(({ evidence }) => evidence),
    ),
  ];
  return adjudicateClaim(
    [
      ...before,
      {
        kind: 'computed',
        key: 'absences',
        inputHash: '',
        name: 'absences',
        round: null,
        value: searchAbsences(before, quarterlyReport),
      },
      said('rebuttal', { statement: '', replies: [], score: 0.6, ...rebuttal }, []),
      said('synthesis', findings, [...findings.support.evidence, ...findings.contradiction.evidence]),
    ],
    { caseFile, own, cover },
  );
}

const everybody = (reason: FailureReason) =>
  Object.fromEntries(['opening', 'cross-examination', 'rebuttal', 'synthesis'].map((seat) => [seat, reason]));
const contradiction = { why: 'It says otherwise.', evidence: [currency], holds: true };

const cases: readonly [rule: string, label: string, when: string, Case][] = [
  ['unsupported-language', 'undecided', 'no seat can read the language', { silent: everybody('unsupported-language') }],
  ['nobody-heard', 'undecided', 'nobody was heard', { silent: everybody('timeout') }],
  [
    'nobody-heard',
    'undecided',
    'nobody was heard, even when a number conflicts',
    { silent: everybody('timeout'), numbers: [conflict], own: 1 },
  ],
  [
    'number-conflict',
    'contradicted',
    'a number conflicts with the claim itself, whatever the synthesizer says',
    { numbers: [conflict], own: 1 },
  ],
  [
    'number-conflict',
    'contradicted',
    'a number conflicts and the synthesizer is silent',
    { silent: { synthesis: 'refused' }, numbers: [conflict], own: 1 },
  ],
  ['synthesizer-unheard', 'undecided', 'the synthesizer is silent', { silent: { synthesis: 'refused' } }],
  ['contradiction', 'contradicted', 'the document says otherwise', { synthesis: { contradiction } }],
  [
    'contradiction-struck',
    'undecided',
    'no quote of the contradiction stands, whatever speaks for it',
    { synthesis: { contradiction: { ...contradiction, evidence: ['Nowhere.'] } } },
  ],
  [
    'contradiction-struck',
    'undecided',
    'a contradiction is claimed without a quote',
    { synthesis: { contradiction: { ...contradiction, evidence: [] } } },
  ],
  [
    'contradiction',
    'contradicted',
    'one of two quotes of the contradiction stands',
    { synthesis: { contradiction: { ...contradiction, evidence: ['Nowhere.', currency] } } },
  ],
  [
    'evidence-struck',
    'unsupported',
    'no quote of the support stands',
    { synthesis: { support: support('full', ['Nowhere.']) } },
  ],
  [
    'evidence-struck',
    'unsupported',
    'support is claimed without a quote',
    { synthesis: { support: support('partial', []) } },
  ],
  ['no-support', 'unsupported', 'there is none', { synthesis: { support: support('none') } }],
  ['no-support', 'unsupported', 'it does not hold', { synthesis: { support: support('full', [campaign], false) } }],
  [
    'attack-stands',
    'mixed',
    'a contradiction stands',
    { attacks: [attack('contradiction')], synthesis: { standing: [1] } },
  ],
  [
    'attack-stands',
    'mixed',
    'an outlier stands against partial support',
    { attacks: [attack('outlier')], synthesis: { support: support('partial'), standing: [1] } },
  ],
  [
    'attack-stands',
    'mixed',
    'an alternative explanation is conceded',
    {
      attacks: [attack('alternative-explanation')],
      rebuttal: { replies: [{ attack: 1, concedes: true, point: '', evidence: [] }] },
    },
  ],
  [
    'withstood',
    'verified-strong',
    'a concession was withdrawn by a seat that fell silent',
    {
      attacks: [attack('outlier')],
      rebuttal: { replies: [{ attack: 1, concedes: true, point: '', evidence: [] }] },
      silent: { rebuttal: 'timeout' },
    },
  ],
  ['side-conflict', 'mixed', 'a number conflicts beside the point', { numbers: [conflict], own: 0 }],
  ['partial-support', 'supported', 'support is partial', { synthesis: { support: support('partial') } }],
  ['objection-stands', 'supported', 'a fallacy stands', { synthesis: { standing: [1] } }],
  [
    'objection-stands',
    'supported',
    'an alternative explanation without a quote stands',
    { attacks: [attack('alternative-explanation', { evidence: [] })], synthesis: { standing: [1] } },
  ],
  [
    'objection-stands',
    'supported',
    'an absence that was searched for stands',
    { attacks: [attack('missing-data', { evidence: [], missing: ['profit margin'] })], synthesis: { standing: [1] } },
  ],
  [
    'withstood',
    'verified-strong',
    'the absence that stands was refuted',
    { attacks: [attack('missing-data', { evidence: [], missing: ['currency'] })], synthesis: { standing: [1] } },
  ],
  [
    'withstood',
    'verified-strong',
    'the quotes of the attack that stands were struck',
    { attacks: [attack('outlier', { evidence: ['Nowhere.'] })], synthesis: { standing: [1] } },
  ],
  ['not-computed', 'supported', 'code has computed a part of it alone', { cover: 'part' }],
  ['untested', 'supported', 'the dissent attacked nothing', { attacks: [] }],
  ['untested', 'supported', 'the dissent was silent', { silent: { 'cross-examination': 'timeout' } }],
  [
    'own-words',
    'unsupported',
    "only the claim's own sentence says so",
    { synthesis: { support: support('full', [ownSentence]) } },
  ],
  [
    'withstood',
    'verified-strong',
    "the claim's own sentence says so, and its numbers hold",
    { synthesis: { support: support('full', [ownSentence]) }, numbers: [{ ...conflict, outcome: 'holds' }], own: 1 },
  ],
  ['withstood', 'verified-strong', 'code has shown it and no attack stands', {}],
  ['not-computed', 'supported', 'support is full, but code has not shown it', { cover: 'none' }],
  [
    'shown',
    'verified-strong',
    'it was not debated, and its numbers hold',
    { isUndebated: true, numbers: [held], own: 1 },
  ],
  [
    'shown-in-part',
    'supported',
    'it was not debated, and its numbers hold, but it names a cause',
    { isUndebated: true, cover: 'part', numbers: [held], own: 1 },
  ],
  ['not-shown', 'unsupported', 'it was not debated, and nothing bears it out', { isUndebated: true, cover: 'none' }],
];

describe('the rules', () => {
  test.each(cases)('%s: %s when %s', (rule, label, _when, given) => {
    expect(verdict(given)).toMatchObject({ label, rule: { id: rule } });
  });

  test('every rule has a case above, and gives the label it is written down with', () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(claimRules.map(({ id }) => id)));
    for (const [rule, label] of cases) expect(claimRules.find(({ id }) => id === rule)!.label).toBe(label);
  });

  test("the claim's own sentence, said again in another place, is no second witness", () => {
    const sentence = 'Growth is strong.';
    const dossier = {
      documents: [documentOf('twice.md', [sentence, 'Other matters.', `${sentence.toUpperCase()} Costs fell.`])],
    };
    const own: Claim = { ...claim, origin: { block: 'twice.md#b1', start: 0, end: sentence.length } };
    const caseFile = openClaim(own, dossier, [], [], { blocks: 20, characters: 60_000 });
    const judged = (quote: string) => {
      const turn = (seat: string, answer: { score: number }): Entry => ({
        kind: 'turn',
        key: seat,
        inputHash: '',
        seat,
        role: roles[seat] ?? seat,
        round: null,
        statement: '',
        score: answer.score,
        evidence: seat === 'synthesis' ? verifyQuotes([quote], caseFile.sources) : [],
        answer,
        reasoner: '',
        usage: noUsage,
        latencyMs: 0,
      });
      const dissent = { statement: '', attacks: [attack('fallacy', { evidence: [] })], score: 0.3 };
      const findings: Synthesis = {
        statement: '',
        support: support('full', [quote]),
        contradiction: { why: '', evidence: [], holds: false },
        standing: [],
        confidence: 0.7,
        score: 0.8,
      };
      return adjudicateClaim([turn('cross-examination', dissent), turn('synthesis', findings)], {
        caseFile,
        own: 0,
        cover: 'whole',
      }).rule.id;
    };
    expect(judged(sentence.toUpperCase())).toBe('own-words');
    expect(judged('Costs fell.')).toBe('withstood');
  });

  test('an attack of a number that nobody made stands nowhere', () => {
    expect(verdict({ synthesis: { standing: [7] } }).rule.id).toBe('withstood');
  });

  test('what decided is its evidence, all of it verified', () => {
    expect(verdict({ synthesis: { contradiction } }).evidence.map(({ quote }) => quote)).toEqual([currency]);
    expect(verdict({ synthesis: { support: support('full', [campaign, 'Nowhere.']) } }).evidence).toMatchObject([
      { quote: campaign, verified: true },
    ]);
    expect(
      verdict({ attacks: [attack('outlier')], synthesis: { standing: [1] } }).evidence.map(({ quote }) => quote),
    ).toEqual([campaign, currency]);
    expect(verdict({ numbers: [conflict], own: 1 }).evidence).toMatchObject([
      { source: 'report.md#b2/numbers-1' },
      { quote: ownSentence.slice(1, 5), source: 'report.md#b2' },
    ]);
  });

  test.each([
    [0.9, 'contradicted', { synthesis: { contradiction, score: 0.9 } }],
    [0.1, 'verified-strong', { synthesis: { score: 0.1 } }],
  ] satisfies [number, string, Case][])('a score of %d for %s sends it to a person', (_score, label, given) => {
    const { escalate, degraded, ...rest } = verdict(given);
    expect(rest.label).toBe(label);
    expect(escalate).toBe(true);
    expect(degraded.map(({ kind }) => kind)).toEqual(['score-contradicts-rule']);
  });
});
