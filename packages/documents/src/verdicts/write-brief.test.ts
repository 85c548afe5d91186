import { expect, test } from 'vitest';
import { quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { describeUnread, writePlainBrief } from './write-brief.ts';

const { claims, numbers } = quarterlyAnalysis;

test('the outlook is a paragraph: what is contradicted and why, what holds, what is open, without ids', () => {
  const brief = writePlainBrief(claims, numbers);
  expect(brief).toMatch(/^Two of the seven statements judged are contradicted by the documents themselves: “Aurora/u);
  expect(brief).toContain('Two are borne out: ');
  expect(brief).toContain('“Aurora’s service quality is the best in the industry” is not shown by anything');
  expect(brief).toContain('could not be judged');
  expect(brief).toContain('36 + 61 + 20 = 117, stated 127');
  expect(brief).not.toMatch(/claim-\d|number-\d|…/u);
});

test('where nothing was found, or nothing was wrong, it says so', () => {
  expect(writePlainBrief([], [])).toBe('No statement was found that could be judged. No number could be recomputed.');
  const held = claims.filter(({ verdict }) => verdict.label === 'supported' || verdict.label === 'verified-strong');
  expect(writePlainBrief(held, [])).toBe('Both statements judged are borne out. No number could be recomputed.');
});

test('a language that no seat reads is named first', () => {
  const detail = 'unsupported-language: embedded:guard-2 judges English, and this is French';
  expect(describeUnread([{ kind: 'fallback', at: 'part-01/factor-agent', detail }])).toEqual([
    'The documents are in French, and embedded:guard-2 reads English: no claim was looked for. To judge them, seat a ' +
      'model that reads French.',
  ]);
});
