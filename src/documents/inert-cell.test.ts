import { expect, test } from 'vitest';
import { inertCell } from './inert-cell.ts';

test.each(['=1+1', '+A1', '-A1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '=HYPERLINK("http://x")', '-1+cmd|A0', '＝1'])('%j does not calculate', (text) => {
  expect(inertCell(text)).toBe(`'${text}`);
});

test.each(['Revenue', '-12.5', '+3 %', '-1,234.56', '', 'a=b', '(5)'])('%j stays as it is', (text) => {
  expect(inertCell(text)).toBe(text);
});
