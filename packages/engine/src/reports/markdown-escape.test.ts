import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutCode } from '@agonhq/test/support/markdown-prose.ts';
import { codeCell, codeSpan, fence, wrapped } from './markdown-escape.ts';

describe('untrusted text in Markdown', () => {
  test('a fence is longer than any run of backticks inside it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('`', '\n', 'a', '~', ' ', '<')).map((parts) => parts.join('')),
        (text) => {
          const lines = fence(text).split('\n');
          const ticks = lines[0]!.replace('text', '');
          expect(lines.at(-1)).toBe(ticks);
          expect(lines.slice(1, -1).join('\n')).toBe(text);
          expect(text).not.toContain(ticks);
        },
      ),
    );
  });

  test('a code span ends where it should, and never ends a table cell', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('`', '|', 'a', '\n', '\\')).map((parts) => parts.join('')),
        (text) => {
          expect(withoutCode(`x ${codeSpan(text)} y`).replace(/\s+/g, ' ')).toBe('x y');
          expect(codeCell(text).replaceAll('\\|', '')).not.toContain('|');
        },
      ),
    );
  });

  test.each(['=1+1', '+A1', '-1+cmd|A0', '@SUM(A1)', '\t=1', ' =HYPERLINK("http://x")', '＝1'])(
    '%j does not calculate where a table is pasted',
    (text) => {
      expect(codeCell(text)).toMatch(/^`/u);
    },
  );

  test('wrapping a statement changes nothing but white space', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), (text) => {
        expect(wrapped(text).replaceAll('\n', ' ')).toBe(text);
        expect(
          wrapped(text)
            .split('\n')
            .every((line) => line.length <= 96),
        ).toBe(true);
      }),
    );
  });
});
