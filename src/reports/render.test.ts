import { expect, test } from 'vitest';
import { unsafeAnswer } from '../../test/fixtures/answers.ts';
import { AgonError } from '../errors.ts';
import { renderReport, reportFormatOf } from './render.ts';

test.each([
  ['out.html', 'html'], ['a/b/OUT.HTM', 'html'], ['out.md', 'markdown'], ['out.json', 'json'],
  ['out.txt', 'notice'], ['notice', 'notice'], ['notice.md', 'notice'], ['case-7.notice.md', 'notice'],
])('%s asks for %s', (path, format) => {
  expect(reportFormatOf(path)).toBe(format);
});

test.each(['out.pdf', 'html', '', 'notice.exe'])('%j names no format, and the error says which names do', (path) => {
  const failure = (() => {
    try {
      return reportFormatOf(path);
    } catch (error) {
      return error;
    }
  })();
  expect(AgonError.is(failure) && failure.code).toBe('unknown-report-format');
  expect(AgonError.is(failure) && failure.hint).toContain('.html');
});

test('the JSON report is the answer itself', () => {
  expect(JSON.parse(renderReport(unsafeAnswer, 'json'))).toEqual(unsafeAnswer);
});
