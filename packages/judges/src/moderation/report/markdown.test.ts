import { writeReport } from '@agonhq/test/support/write-report.ts';
import { describe, expect, test } from 'vitest';
import { policyFixture, unsafeAnswer, undecidedAnswer } from '@agonhq/test/fixtures/answers.ts';
import { withoutCode } from '@agonhq/test/support/markdown-prose.ts';

describe('the Markdown report', () => {
  const report = writeReport(unsafeAnswer, 'markdown', { policy: policyFixture });

  test('has the verdict, the rule, the scores, the evidence and how to check them', () => {
    expect(report).toContain('# Verdict: Unsafe');
    expect(report).toContain('2. **Risk confirmation** (**decided**)');
    expect(report).toContain('| `Strict debater` | 0.86 | 0.92 |  |');
    expect(report).toContain('`Dangerous chemicals and biology`');
    expect(report).toContain('`bleach + ammonia` in `text/base64`');
    expect(report).toContain('~~Quotes~~ `breathe it in deeply`');
    expect(report).toContain('**Concedes:**');
    expect(report).toContain('The debate ended early because both sides agreed.');
    expect(report).toContain('`case-0412`');
    expect(report).toContain('agon verify answer.json');
    expect(writeReport(undecidedAnswer, 'markdown')).toContain('**Needs human review.**');
  });

  test('keeps all that is untrusted in code, where nothing is a link, a mention or markup', () => {
    const hostile = '# h\n```\n@admin <img src=x> [a](javascript:1) #1 https://example.org | ~~~';
    const attacked = JSON.parse(JSON.stringify(unsafeAnswer), (key, value: unknown) =>
      typeof value === 'string' && !['kind', 'role', 'label', 'job'].includes(key) ? value + hostile : value,
    ) as typeof unsafeAnswer;
    const outside = withoutCode(writeReport(attacked, 'markdown', { policy: policyFixture }));
    expect(outside).not.toMatch(/@admin|<img|javascript|https:|#1/);
    expect(outside).toContain('# Verdict: Unsafe');
  });
});
