import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createStatement, noUsage, type Turn } from '@agonhq/engine/debate';
import { verifyQuotes } from '@agonhq/engine/evidence';
import { defaultPolicy, type Policy } from '@agonhq/engine/policy';
import { adjudicateContent } from './adjudicate.ts';
import type { ModerationArgument, Findings } from './answers.ts';
import { placeholderText, type ModerationCaseFile } from './case-file.ts';
import { arbiter } from './roles/arbiter.ts';

const text = 'For the museum: “burn the books”, they shouted in 1933. Here is how to burn a house.';
const caseFile: ModerationCaseFile = { modality: 'text', images: [], sources: [{ id: 'text', text }] };
const benign = { why: 'A museum text.', evidence: ['For the museum'], holds: true };
const harmful = {
  why: 'It tells how to burn a house.',
  evidence: ['how to burn a house'],
  holds: true,
  clauses: ['violence.plan'],
};
const absent = { why: 'None was shown.', evidence: [], holds: false };
const absentRisk = { ...absent, clauses: [] };

let policy: Policy;
let clause: string;
beforeAll(async () => {
  policy = await defaultPolicy();
  clause = policy.categories[0]!.clauses[0]!.id;
});

function turn(
  role: string,
  answer: unknown,
  score: number,
  fallback?: Turn['fallback'],
  round: number | null = 1,
  evidence: Turn['evidence'] = [],
): Turn {
  return {
    kind: 'turn',
    key: role,
    inputHash: '',
    seat: role,
    role,
    round,
    statement: '',
    score,
    evidence,
    answer,
    reasoner: 'x',
    usage: noUsage,
    latencyMs: 0,
    ...(fallback ? { fallback } : {}),
  };
}

function judged(findings: Partial<Findings>, sources = caseFile.sources): Turn {
  const answer: Findings = {
    statement: '',
    exoneration: absent,
    risk: absentRisk,
    confidence: 0.9,
    score: 0.5,
    ...findings,
  };
  const evidence = verifyQuotes(arbiter.read(answer).quotes, sources);
  return turn('arbiter', answer, answer.score, undefined, null, evidence);
}

function argued(
  side: 'strict' | 'loose',
  score: number,
  argument: Partial<ModerationArgument> = {},
  fallback?: Turn['fallback'],
): Turn {
  const answer = { statement: '', concession: null, evidence: [], clauses: [], score, ...argument };
  const evidence = verifyQuotes(answer.evidence, caseFile.sources);
  return turn(`${side}-debater`, answer, score, fallback, 1, evidence);
}

const failed = { reason: 'unavailable', detail: 'HTTP 500' } as const;
const silentJudge = () => turn('arbiter', {}, 0.5, failed, null);

describe('the rules, in their order', () => {
  test('Rule 1 wins over Rule 2: a proven benign context makes it safe', () => {
    const verdict = adjudicateContent(
      [judged({ exoneration: benign, risk: { ...harmful, clauses: [clause] }, score: 0.2 })],
      caseFile,
      { policy },
    );
    expect(verdict).toMatchObject({
      label: 'safe',
      rule: { id: 'contextual-exoneration', why: 'A museum text.' },
      evidence: [{ quote: 'For the museum', verified: true }],
      categories: [],
    });
  });

  test('what the person concerned says can exonerate, for a person to confirm, and never confirms a risk', () => {
    const said = 'I told them how to burn a house, for the museum.';
    const sources = [{ id: 'text', text: 'Come at noon.' }, createStatement(said)];
    const judge = (findings: Partial<Findings>) =>
      adjudicateContent([judged(findings, sources)], { ...caseFile, sources }, { policy });
    expect(judge({ exoneration: { ...benign, evidence: ['for the museum'] } })).toMatchObject({
      label: 'safe',
      escalate: true,
      rule: { id: 'contextual-exoneration' },
    });
    expect(judge({ risk: harmful, score: 0.9 })).toMatchObject({
      label: 'undecided',
      rule: { id: 'evidence-struck' },
      evidence: [],
    });
  });

  test('Rule 2: a concrete violation without exoneration is unsafe, with clause and evidence', () => {
    const verdict = adjudicateContent([judged({ risk: { ...harmful, clauses: [clause] }, score: 0.9 })], caseFile, {
      policy,
    });
    expect(verdict).toMatchObject({
      label: 'unsafe',
      risk: 0.9,
      bar: 0.5,
      escalate: false,
      rule: { id: 'risk-confirmation' },
      categories: [{ id: policy.categories[0]!.id, clause }],
      evidence: [{ quote: 'how to burn a house', verified: true }],
      degraded: [],
    });
  });

  test('Rule 3: when neither is shown, the content is safe by default', () => {
    expect(adjudicateContent([judged({ score: 0.3 })], caseFile, { policy })).toMatchObject({
      label: 'safe',
      rule: { id: 'default-safety' },
      escalate: false,
    });
  });

  test('an exoneration that cannot be quoted does not shield a proven risk', () => {
    const unquotable = { ...benign, evidence: ['for educational purposes only'] };
    const verdict = adjudicateContent(
      [judged({ exoneration: unquotable, risk: { ...harmful, clauses: [clause] }, score: 0.9 })],
      caseFile,
      { policy },
    );
    expect(verdict).toMatchObject({ label: 'unsafe', rule: { id: 'risk-confirmation' } });
  });

  test('a risk whose evidence was all struck decides nothing: undecided, for a person to look at', () => {
    const invented = { ...harmful, evidence: ['how to burn a school'] };
    expect(adjudicateContent([judged({ risk: invented, score: 0.9 })], caseFile, { policy })).toMatchObject({
      label: 'undecided',
      escalate: true,
      rule: { id: 'evidence-struck' },
    });
  });

  test(
    'law: whatever the findings, a verdict of unsafe stands on evidence in the content, and no exoneration ' +
      'with evidence',
    () => {
      const quotes = fc.array(fc.constantFrom('For the museum', 'how to burn a house', 'nowhere to be found', ''), {
        maxLength: 3,
      });
      const finding = fc.record({ why: fc.constant('why'), evidence: quotes, holds: fc.boolean() });
      const findings = fc.record({
        exoneration: finding,
        risk: finding.map((risk) => ({ ...risk, clauses: [clause] })),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      });
      fc.assert(
        fc.property(findings, (said) => {
          const verdict = adjudicateContent([judged(said)], caseFile, { policy });
          const inSource = (quotes: string[]) => quotes.some((quote) => quote !== '' && text.includes(quote));
          const exonerated = said.exoneration.holds && inSource(said.exoneration.evidence);
          const proven = said.risk.holds && inSource(said.risk.evidence);
          expect(verdict.label).toBe(exonerated ? 'safe' : proven ? 'unsafe' : said.risk.holds ? 'undecided' : 'safe');
          expect(verdict.evidence.every((evidence) => evidence.verified)).toBe(true);
        }),
      );
    },
  );
});

describe('clauses', () => {
  test('a category named in place of a clause counts as its first clause', () => {
    const category = policy.categories[0]!;
    const verdict = adjudicateContent(
      [judged({ risk: { ...harmful, clauses: [category.id] }, score: 0.9 })],
      caseFile,
      {
        policy,
      },
    );
    expect(verdict.categories).toEqual([{ id: category.id, clause: category.clauses[0]!.id }]);
  });

  test('a clause the policy does not have is said to be unknown, and a risk without any clause goes to a person', () => {
    const verdict = adjudicateContent([judged({ risk: { ...harmful, clauses: ['made.up'] }, score: 0.9 })], caseFile, {
      policy,
    });
    expect(verdict).toMatchObject({ label: 'unsafe', categories: [], escalate: true });
    expect(verdict.degraded.map(({ kind }) => kind)).toEqual(['unknown-clause', 'no-clause']);
  });

  test('a score that speaks against the findings is marked and goes to a person', () => {
    const verdict = adjudicateContent([judged({ risk: { ...harmful, clauses: [clause] }, score: 0.1 })], caseFile, {
      policy,
    });
    expect(verdict).toMatchObject({ label: 'unsafe', escalate: true, degraded: [{ kind: 'score-contradicts-rule' }] });
  });
});

describe('nobody is acquitted by a crash', () => {
  test('if the arbiter fails, the heard votes of the panel decide', () => {
    const strict = argued('strict', 0.9, { evidence: ['how to burn a house'], clauses: [clause] });
    const loose = argued('loose', 0.7, { evidence: ['burn a house'] });
    const verdict = adjudicateContent([strict, loose, silentJudge()], caseFile, { policy });
    expect(verdict).toMatchObject({
      label: 'unsafe',
      risk: 0.8,
      rule: { id: 'panel-vote' },
      categories: [{ clause }],
    });
    expect(verdict.degraded).toMatchObject([{ kind: 'fallback', at: 'arbiter', detail: 'unavailable: HTTP 500' }]);
  });

  test('a split panel falls to Rule 3, marked, and a person confirms it', () => {
    const verdict = adjudicateContent([argued('strict', 0.9), argued('loose', 0.1), silentJudge()], caseFile, {
      policy,
    });
    expect(verdict).toMatchObject({
      label: 'safe',
      rule: { id: 'default-safety' },
      escalate: true,
      degraded: [{ kind: 'fallback' }],
    });
  });

  test('a debater who fell back has no vote', () => {
    const verdict = adjudicateContent(
      [argued('strict', 0.5, {}, failed), argued('loose', 0.1), silentJudge()],
      caseFile,
      {
        policy,
      },
    );
    expect(verdict).toMatchObject({ label: 'safe', risk: 0.1, rule: { id: 'panel-vote' } });
  });

  test('a panel that votes unsafe on invented quotes decides nothing', () => {
    const strict = argued('strict', 0.9, { evidence: ['invented'] });
    expect(adjudicateContent([strict, silentJudge()], caseFile, { policy })).toMatchObject({
      label: 'undecided',
      escalate: true,
      rule: { id: 'evidence-struck' },
    });
  });

  test('when nobody was heard it is undecided and escalated', () => {
    const verdict = adjudicateContent(
      [argued('strict', 0.5, {}, failed), argued('loose', 0.5, {}, failed), silentJudge()],
      caseFile,
      { policy },
    );
    expect(verdict).toMatchObject({ label: 'undecided', risk: null, escalate: true, rule: { id: 'nobody-heard' } });
    expect(verdict.degraded).toHaveLength(3);
  });

  test('an image alone that could not be seen is undecided', () => {
    const image = { id: 'image-1', hash: 'sha256:x', mediaType: 'image/png', width: 1, height: 1 };
    const placeholder = {
      id: 'image-1/description',
      text: placeholderText,
      tool: 'placeholder',
      of: 'image-1',
      note: 'no vision model was asked',
    };
    const unseen: ModerationCaseFile = { modality: 'image', images: [image], sources: [placeholder] };
    expect(adjudicateContent([judged({ score: 0 })], unseen, { policy })).toMatchObject({
      label: 'undecided',
      escalate: true,
      rule: { id: 'unseen' },
    });

    const read = { ...unseen, sources: [placeholder, { id: 'image-1/ocr', text: 'SALE', tool: 'ocr', of: 'image-1' }] };
    expect(adjudicateContent([judged({ score: 0 })], read, { policy })).toMatchObject({
      label: 'safe',
      escalate: true,
      degraded: [{ kind: 'unseen-image' }],
    });
  });

  test('nothing can be proven by quoting the placeholder', () => {
    const placeholder = { id: 'image-1/description', text: placeholderText, tool: 'placeholder', of: 'image-1' };
    const image = { id: 'image-1', hash: 'sha256:x', mediaType: 'image/png', width: 1, height: 1 };
    const file: ModerationCaseFile = {
      modality: 'text+image',
      images: [image],
      sources: [...caseFile.sources, placeholder],
    };
    const quoting = { ...harmful, evidence: ['could not be described'] };
    expect(adjudicateContent([judged({ risk: quoting, score: 0.9 }, file.sources)], file, { policy })).toMatchObject({
      label: 'undecided',
    });
    expect(adjudicateContent([judged({ score: 0.1 })], file, { policy })).toMatchObject({
      label: 'safe',
      escalate: true,
    });
  });
});

describe('a clause that the policy allows', () => {
  const allowing = (...ids: string[]): Policy => ({
    ...policy,
    categories: policy.categories.map((category) => ({
      ...category,
      clauses: category.clauses.map((one) => (ids.includes(one.id) ? { ...one, action: 'allow' as const } : one)),
    })),
  });

  test('makes nothing unsafe', () => {
    const verdict = adjudicateContent([judged({ risk: harmful, score: 0.9 })], caseFile, {
      policy: allowing('violence.plan'),
    });
    expect(verdict).toMatchObject({
      label: 'safe',
      risk: 0,
      escalate: false,
      rule: { id: 'allowed-by-policy' },
      categories: [],
      degraded: [],
    });
  });

  test('does not cover what another clause forbids', () => {
    const both = { ...harmful, clauses: ['violence.plan', clause] };
    const verdict = adjudicateContent([judged({ risk: both, score: 0.9 })], caseFile, {
      policy: allowing('violence.plan'),
    });
    expect(verdict).toMatchObject({ label: 'unsafe', categories: [{ clause }] });
  });
});

describe('what nobody can read', () => {
  const unreadable = { id: 'text/unreadable-1', text: 'xkwq zzrt', tool: 'unreadable', of: 'text' };
  const sources = [...caseFile.sources, unreadable];

  test('is not called safe, whoever judged', () => {
    const verdict = adjudicateContent([judged({ score: 0.1 })], { ...caseFile, sources }, { policy });
    expect(verdict).toMatchObject({ label: 'undecided', risk: null, escalate: true, rule: { id: 'unreadable' } });
    expect(verdict.rule.why).toContain('“xkwq zzrt”');
  });

  test('acquits nothing', () => {
    const finding = judged({ risk: harmful, score: 0.9 });
    expect(adjudicateContent([finding], { ...caseFile, sources }, { policy })).toMatchObject({ label: 'unsafe' });
  });
});

test('a clause that a seat could not judge is noted with the verdict', () => {
  const seat = { ...judged({ risk: absentRisk, score: 0.1 }), unjudged: ['house.jokes'] };
  const { degraded, escalate } = adjudicateContent([seat], caseFile, { policy });
  expect(degraded).toMatchObject([{ kind: 'unjudged-clause', detail: 'x cannot tell reliably: house.jokes' }]);
  expect(escalate).toBe(false);
});
