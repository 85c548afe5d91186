import { describe, expect, test } from 'vitest';
import { doubtfulAnswer, undecidedAnswer, unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { verifyQuotes } from '@agonhq/engine/evidence';
import type { Findings, ModerationAnswer } from './index.ts';
import { viewModeration } from './view.ts';

const ladderOf = (answer: ModerationAnswer) => viewModeration(answer).ladder!;

function withRisk(answer: ModerationAnswer, quote: string, rule: string): ModerationAnswer {
  const risk = { why: 'It says so.', evidence: [quote], clauses: [], holds: true };
  return {
    ...answer,
    verdict: { ...answer.verdict, rule: { id: rule, why: '' } },
    transcript: answer.transcript.map((entry) =>
      entry.kind === 'turn' && entry.role === 'arbiter'
        ? {
            ...entry,
            answer: { ...(entry.answer as Findings), risk },
            evidence: verifyQuotes([...(entry.answer as Findings).exoneration.evidence, quote], answer.sources),
          }
        : entry,
    ),
  };
}

describe('the ladder of rules', () => {
  test('a rule that was passed says why, with the arbiter’s reasons and evidence', () => {
    const [exoneration, risk, safety] = ladderOf(unsafeAnswer).steps;
    expect(exoneration).toMatchObject({
      state: 'passed',
      explanation: expect.stringMatching(/^No\./),
      why: expect.stringContaining('good faith'),
    });
    expect(risk!.evidence.map((evidence) => evidence.verified)).toEqual([true, true]);
    expect(safety!.explanation).toBe('Not needed: Rule 2 had decided.');
  });

  test('a finding whose evidence is not in the source did not decide, and says so', () => {
    const { steps, outcome } = ladderOf(withRisk(doubtfulAnswer, 'words that are nowhere', 'evidence-struck'));
    expect(steps[1]!.explanation).toContain('none of its quotations is in the content');
    expect(steps.map((step) => step.state)).toEqual(['passed', 'passed', 'not-checked']);
    expect(outcome).toContain('no basis for either verdict');
  });

  test('a finding with evidence that still did not decide points to the reason', () => {
    expect(ladderOf(withRisk(doubtfulAnswer, 'Cleaning hack', 'default-safety')).steps[1]!.explanation).toContain(
      'see the reason',
    );
  });

  test('without an arbiter nothing was checked', () => {
    expect(ladderOf(undecidedAnswer).steps.every((step) => step.explanation.includes('no usable answer'))).toBe(true);
  });
});
