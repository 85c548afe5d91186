import { expect, test } from 'vitest';
import { unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { implicitAnswer } from '@agonhq/test/fixtures/evaluation-answers.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { renderReport, parseReportFormat } from './render-report.ts';

test.each([
  ['out.html', 'html'],
  ['a/b/OUT.HTM', 'html'],
  ['out.md', 'markdown'],
  ['out.json', 'json'],
  ['out.txt', 'notice'],
  ['brief.pdf', 'pdf'],
  ['annotated.pdf', 'annotated'],
  ['q3-annotated.pdf', 'annotated'],
  ['unannotated.pdf', 'pdf'],
  ['findings.xlsx', 'xlsx'],
  ['findings.csv', 'csv'],
  ['notice', 'notice'],
  ['notice.md', 'notice'],
  ['case-7.notice.md', 'notice'],
])('%s asks for %s', (path, format) => {
  expect(parseReportFormat(path)).toBe(format);
});

test.each(['out.docx', 'html', '', 'notice.exe'])('%j names no format, and the error says which names do', (path) => {
  const failure = (() => {
    try {
      return parseReportFormat(path);
    } catch (error) {
      return error;
    }
  })();
  expect(AgonError.is(failure) && failure.code).toBe('unknown-report-format');
  expect(AgonError.is(failure) && failure.hint).toContain('.html');
});

test.each([
  ['a moderation', unsafeAnswer],
  ['an evaluation', implicitAnswer],
])('the JSON report of %s is the answer itself', async (_, answer) => {
  expect(JSON.parse(await renderReport(answer, 'json'))).toEqual(answer);
});

test('an answer of a job that has no report is refused in one line, except as JSON', async () => {
  const later = { ...unsafeAnswer, job: 'analysis' };
  await expect(renderReport(later, 'html')).rejects.toThrow('There is no report of the job "analysis"');
  expect(JSON.parse(await renderReport(later, 'json'))).toEqual(later);
});
