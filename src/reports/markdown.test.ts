import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyFixture, unsafeAnswer, undecidedAnswer } from '../../test/fixtures/answers.ts';
import { codeCell, codeSpan, fence, wrapped } from './markdown-escape.ts';
import { renderReport } from './render.ts';

describe('the Markdown report', () => {
  const report = renderReport(unsafeAnswer, 'markdown', { policy: policyFixture });

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
    expect(renderReport(undecidedAnswer, 'markdown')).toContain('**A person must look at it.**');
  });

  test('keeps all that is untrusted in code, where nothing is a link, a mention or markup', () => {
    const hostile = '# h\n```\n@admin <img src=x> [a](javascript:1) #1 https://example.org | ~~~';
    const attacked = JSON.parse(JSON.stringify(unsafeAnswer), (key, value: unknown) =>
      typeof value === 'string' && !['kind', 'role', 'label'].includes(key) ? value + hostile : value) as typeof unsafeAnswer;
    const outside = withoutCode(renderReport(attacked, 'markdown', { policy: policyFixture }));
    expect(outside).not.toMatch(/@admin|<img|javascript|https:|#1/);
    expect(outside).toContain('# Verdict: Unsafe');
  });

  test('a fence is longer than any run of backticks inside it', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('`', '\n', 'a', '~', ' ', '<')).map((parts) => parts.join('')), (text) => {
      const lines = fence(text).split('\n');
      const ticks = lines[0]!.replace('text', '');
      expect(lines.at(-1)).toBe(ticks);
      expect(lines.slice(1, -1).join('\n')).toBe(text);
      expect(text).not.toContain(ticks);
    }));
  });

  test('a code span ends where it should, and never ends a table cell', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('`', '|', 'a', '\n', '\\')).map((parts) => parts.join('')), (text) => {
      expect(withoutCode(`x ${codeSpan(text)} y`).replace(/\s+/g, ' ')).toBe('x y');
      expect(codeCell(text).replaceAll('\\|', '')).not.toContain('|');
    }));
  });

  test('wrapping a statement changes nothing but white space', () => {
    fc.assert(fc.property(fc.lorem({ maxCount: 60 }), (text) => {
      expect(wrapped(text).replaceAll('\n', ' ')).toBe(text);
      expect(wrapped(text).split('\n').every((line) => line.length <= 96)).toBe(true);
    }));
  });
});

/** What CommonMark reads as something other than code: fences first, then spans by runs of equal length. */
function withoutCode(markdown: string): string {
  const prose: string[] = [];
  let closing: string | null = null;
  for (const line of markdown.split('\n')) {
    const opened = /^(`{3,})text$/.exec(line);
    if (closing !== null) {
      if (/^`{3,}$/.test(line) && line.length >= closing.length) closing = null;
    } else if (opened) closing = opened[1]!;
    else prose.push(line);
  }
  return prose.map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')).join('\n');
}
