import { writeReport } from '@agonhq/test/support/write-report.ts';
import { describe, expect, test } from 'vitest';
import {
  answerFixtures,
  policyFixture,
  safeAnswer,
  undecidedAnswer,
  unsafeAnswer,
  votedAnswer,
} from '@agonhq/test/fixtures/answers.ts';

const notice = (answer: typeof unsafeAnswer, appeal?: string) =>
  writeReport(answer, 'notice', { policy: policyFixture, ...(appeal && { appeal }) });

describe('the notice to the affected person', () => {
  test('states the decision, the facts, the clause with its words, the automated means and the way to contest it', () => {
    const text = notice(unsafeAnswer);
    expect(text).toContain('found to break the rules');
    expect(text).toContain(
      'From your content:\n\n```text\npour both bottles into the bucket and close the window\n```',
    );
    expect(text).toContain('as decoded by a tool:\n\n```text\nbleach + ammonia');
    expect(text).toContain('`chemicals.toxic-mixtures`');
    expect(text).toContain('Do not tell people to make toxic gases or mixtures.');
    expect(text).toContain('The review was automated.');
    expect(text).toContain('quote the reference `post-88213`');
  });

  test('names no fact that is not in the content', () => {
    const { verdict } = unsafeAnswer;
    const struck = { quote: 'words that nobody wrote', verified: false } as (typeof verdict.evidence)[number];
    const text = notice({ ...unsafeAnswer, verdict: { ...verdict, evidence: [...verdict.evidence, struck] } });
    expect(text).not.toContain('words that nobody wrote');
    expect(text).toContain('pour both bottles');
    expect(notice({ ...unsafeAnswer, verdict: { ...verdict, evidence: [struck] } })).toContain(
      'The decision is based on your content as a whole.',
    );
  });

  describe('after a person decided', () => {
    const decided = (answer: typeof unsafeAnswer, decision: object) =>
      writeReport(answer, 'notice', { policy: policyFixture, decision: decision as never });

    test('says whether the person confirmed the result or came to another', () => {
      const same = decided(unsafeAnswer, { label: 'unsafe', action: null, clause: null });
      expect(same).toContain('a person confirmed it');
      expect(same).toContain('The review began automatically, and a person decided.');
      expect(same).toContain('pour both bottles');
      const other = decided(safeAnswer, { label: 'unsafe', action: null, clause: 'chemicals.toxic-mixtures' });
      expect(other).toContain('A person decided, after an automated review.');
      expect(other).toContain('Do not tell people to make toxic gases or mixtures.');
      expect(other).toContain('The decision is based on your content as a whole.');
    });

    test('quotes nothing that the machine held against it for another verdict', () => {
      const text = decided(unsafeAnswer, { label: 'safe', action: 'allow', clause: null });
      expect(text).toContain('no action follows from this review');
      expect(text).not.toContain('pour both bottles');
    });

    test('says what the person asks for, and not what the policy would', () => {
      const withAction = { ...unsafeAnswer, verdict: { ...unsafeAnswer.verdict, action: 'remove' } };
      expect(decided(withAction, { label: 'unsafe', action: null, clause: null })).not.toContain('Action:');
      expect(notice(withAction)).toContain('Action:');
      expect(decided(safeAnswer, { label: 'safe', action: 'warn', clause: null })).toContain('Action:');
    });
  });

  test('names only the reviewers who were heard', () => {
    expect(notice(unsafeAnswer)).toContain('one argued that it is harmless, and one weighed what was said');
    expect(notice(votedAnswer)).not.toContain('weighed');
    expect(notice(undecidedAnswer)).toContain('None of its automated reviewers gave an answer.');
  });

  test('uses the service’s own words on how to appeal where it has them', () => {
    const text = notice(unsafeAnswer, 'Write to the ombudsman.');
    expect(text).toContain('Write to the ombudsman.');
    expect(text).not.toContain('reply to this notice');
  });

  test('of safe content says that nothing was found against it', () => {
    expect(notice(safeAnswer)).toContain('Nothing was found against it');
    expect(notice(safeAnswer)).not.toContain('break');
  });

  test('of an undecided case says that a person will look', () => {
    expect(notice(undecidedAnswer)).toContain('No decision has been made');
    expect(notice(undecidedAnswer)).toContain('A person will review it.');
  });

  test('says so when the votes decided instead of the judge, and that a person will also look', () => {
    expect(notice(votedAnswer)).toContain('decided by their votes');
    expect(notice(votedAnswer)).toContain('A person will also review');
  });

  test.each(Object.entries(answerFixtures))('of %s has no words of a model, no precedent and no cost', (_, answer) => {
    const text = notice(answer);
    for (const turn of answer.transcript) {
      if (turn.kind === 'turn' && turn.statement !== '') expect(text).not.toContain(turn.statement);
    }
    for (const precedent of answer.precedents) {
      expect(text).not.toContain(precedent.id);
      expect(text).not.toContain(precedent.summary);
    }
    expect(text).not.toContain('$');
    expect(text).not.toContain(answer.verdict.rule.why);
  });
});
