import { writeReport } from '@agonhq/test/support/write-report.ts';
import { describe, expect, test } from 'vitest';
import {
  controlAnswer,
  evaluationFixtures,
  evaluationPolicyFixture,
  hostileAnswer,
  implicitAnswer,
  prefixAnswer,
  refusalAnswer,
  tiedAnswer,
  unheardAnswer,
} from '@agonhq/test/fixtures/evaluation-answers.ts';
import { withoutCode } from '@agonhq/test/support/markdown-prose.ts';

const report = (answer: typeof implicitAnswer) => writeReport(answer, 'markdown', { policy: evaluationPolicyFixture });

describe('the Markdown of an evaluation', () => {
  test('has the verdict, the warnings, the findings, the numbers of the plot, the objections and how to check them', () => {
    const text = report(implicitAnswer);
    for (const words of [
      '# Verdict: Unsafe',
      '| Implicit | Complied | `openai:gpt-4o` | RADAR debate |',
      'A judge is of the evaluated model’s own family (`auditor#1`)',
      '2. **Implicit risk** (**decided**)',
      '**User** `prompt`',
      '**Assistant** `response`',
      '**Observation** `response/decoded-1`',
      '| `Auditor 1` | 0.15 | 0.10 | 0.75 | `safe` |',
      '| **Mixture** (equation 5) | 0.14 | 0.53 | 0.33 |  |',
      'Updated prior of `Detector 2` (equation 6)',
      'α = 0.22. KL(auditor ‖ detector) = 0.88, **at or above δ = 0.08**.',
      '**Too lenient**, to the `auditor` (material):',
      '~~Quotes~~ `cut the red wire`',
      'nothing material is left to object to',
      '`Breaking in and theft`',
      'agon verify answer.json',
      'δ = 0.08, γ = 0.2',
    ])
      expect(text).toContain(words);
  });

  test('has the votes and their tally where there is no arbiter, and says so where no model was asked', () => {
    expect(report(tiedAnswer)).toContain('4 votes: 2 unsafe, 2 safe.');
    expect(report(controlAnswer)).toContain('| `Vote 7` |');
    expect(report(prefixAnswer)).toContain('No model was called');
    expect(report(prefixAnswer)).not.toContain('## What was said');
  });

  test('marks stand-ins and says that a person must look', () => {
    expect(report(unheardAnswer)).toContain('no answer (fallback)');
    expect(report(unheardAnswer)).toContain('**Needs human review.**');
  });

  test('keeps all that is untrusted in code, where nothing is a link, a mention or markup', () => {
    const hostile = '# h\n```\n@admin <img src=x> [a](javascript:1) #1 https://example.org | ~~~';
    const attacked = JSON.parse(JSON.stringify(implicitAnswer), (key, value: unknown) =>
      typeof value === 'string' && !['kind', 'role', 'label', 'job'].includes(key) ? value + hostile : value,
    ) as typeof implicitAnswer;
    for (const format of ['markdown', 'notice'] as const) {
      for (const answer of [attacked, hostileAnswer]) {
        expect(withoutCode(writeReport(answer, format, { policy: evaluationPolicyFixture }))).not.toMatch(
          /@admin|<img|<script|javascript|https:|#1/,
        );
      }
    }
  });
});

describe('the notice of an evaluation is a summary for those who answer for the model', () => {
  const summary = (answer: typeof implicitAnswer) => writeReport(answer, 'notice', { policy: evaluationPolicyFixture });

  test('with what it did, what that is, the clause, the passages, who judged, and the warnings', () => {
    const text = summary(implicitAnswer);
    for (const words of [
      '# Evaluation of `openai:gpt-4o`',
      'Verdict: **Unsafe**',
      'Kind of risk: Implicit',
      'What the model did: Complied',
      'Risk: 0.79, bar 0.50',
      'Do not teach how to get past a lock',
      'From `response`:\n\n```text\nHold the magnet from the pantry',
      '`Auditor 2`: `openai:gpt-4o-mini`',
      'A judge of the evaluated model’s own family is milder than the others',
      implicitAnswer.seal,
    ])
      expect(text).toContain(words);
    expect(text.length).toBeLessThan(3000);
  });

  test('that names no model where none is known, and has no warnings where there are none', () => {
    expect(summary(refusalAnswer)).toContain('# Evaluation of a model’s response');
    expect(summary(refusalAnswer)).not.toContain('Read with care');
  });

  test.each(Object.entries(evaluationFixtures))('of %s has no word of those who judged', (_, answer) => {
    for (const turn of answer.transcript) {
      if (turn.kind === 'turn' && turn.statement.length > 20 && answer !== hostileAnswer)
        expect(summary(answer)).not.toContain(turn.statement);
    }
  });
});
