import { expect, test } from 'vitest';
import { type SentAnalysisEvent, foldEvent, isRunning, type LiveAnalysis, nothingYet } from './live-analysis.ts';

const told = (...events: object[]) =>
  events.reduce<LiveAnalysis>(
    (live, event) => foldEvent(live, { debate: 'docs-1', scope: null, ...event } as SentAnalysisEvent),
    nothingYet,
  );
const begun = [
  { type: 'dossier-ready', documents: [{ name: 'a.pdf', kind: 'pdf', hash: 'h', blocks: 3 }], numbers: 2 },
  {
    type: 'claims-ready',
    claims: [
      { id: 'claim-01', text: 'One' },
      { id: 'claim-02', text: 'Two' },
    ],
  },
];
const verdict = (scope: string, label: string) => ({
  type: 'claim-end',
  scope,
  answer: { verdict: { label, confidence: 0.5, rule: { id: 'withstood', why: '' } } },
});

test('an analysis under way has its claims before their verdicts, which come one by one', () => {
  const live = told(
    ...begun,
    { type: 'turn-end', scope: 'claim-02', key: 'claim-02/opening', turn: { statement: 'It is so.' } },
    verdict('claim-01', 'mixed'),
  );
  expect(live).toMatchObject({
    id: 'docs-1',
    numbers: 2,
    state: 'debating',
    claims: [
      { label: 'mixed', rule: 'withstood' },
      { label: null, heard: ['opening'], statement: 'It is so.' },
    ],
  });
  expect(isRunning(live)).toBe(true);
});

test('when all claims are judged its outlook is written, then it is done', () => {
  const judged = [...begun, verdict('claim-01', 'mixed'), verdict('claim-02', 'supported')];
  expect(told(...judged).state).toBe('writing');
  const done = told(...judged, { type: 'answer', answer: {} });
  expect(done.state).toBe('done');
  expect(isRunning(done)).toBe(false);
});

test('a dossier without claims goes straight to its outlook', () => {
  expect(told(begun[0]!, { type: 'claims-ready', claims: [] })).toMatchObject({ claims: [], state: 'writing' });
});
