import { ownJobs } from '../own-jobs.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClassroom, type Classroom } from '@agonhq/test/support/classroom.ts';
import { openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { giveFeedback, importFeedback } from './give-feedback.ts';

let room: Classroom;
beforeEach(async () => {
  room = await openClassroom();
});
afterEach(() => room.close());

const text = 'A text that was judged.';

test('feedback says whether the verdict was right, and the same twice is recorded once', async () => {
  const id = await room.judge(text);
  const first = await giveFeedback(ownJobs, room.ledger, { case: id, label: 'safe' });
  expect(first).toMatchObject({
    case: id,
    label: 'safe',
    verdict: 'safe',
    right: true,
    by: 'feedback',
    repeated: false,
  });
  expect(await giveFeedback(ownJobs, room.ledger, { case: id, label: 'safe' })).toEqual({ ...first, repeated: true });
  expect(await giveFeedback(ownJobs, room.ledger, { case: id, label: 'unsafe', by: 'Ada' })).toMatchObject({
    right: false,
    repeated: false,
  });
  expect(await room.ledger.decisions.listDecisions(id)).toHaveLength(2);
});

test.each([
  ['a case that is not there', { case: 'mod-nothing' }, 'unknown-case'],
  ['a clause that its policy does not have', { clause: 'no.such-clause' }, 'unknown-clause'],
])('feedback about %s is refused', async (_, given, code) => {
  const id = await room.judge(text);
  await expect(giveFeedback(ownJobs, room.ledger, { case: id, label: 'safe', ...given })).rejects.toMatchObject({
    code,
  });
});

test('feedback about a case without a verdict is refused, and about a document', async () => {
  await room.ledger.cases.openCase(openedCase('mod-begun'));
  await room.ledger.cases.openCase(openedCase('doc-1', { job: 'documents' }));
  await expect(giveFeedback(ownJobs, room.ledger, { case: 'mod-begun', label: 'safe' })).rejects.toMatchObject({
    code: 'unfinished-case',
  });
  await expect(giveFeedback(ownJobs, room.ledger, { case: 'doc-1', label: 'safe' })).rejects.toMatchObject({
    code: 'other-job',
  });
});

test('a file names cases by id, or what was judged by its hash or its words', async () => {
  const texts = ['One thing.', 'Another thing.', 'A third thing.'];
  const ids = [];
  for (const one of texts) ids.push(await room.judge(one));
  const { subject } = (await room.ledger.cases.findCase(ids[1]!))!;
  const lines = [
    { case: ids[0], label: 'safe' },
    { subject, label: 'unsafe', why: 'because' },
    { subject: texts[2], label: 'unsafe' },
  ].map((line) => JSON.stringify(line));
  const given = await importFeedback(ownJobs, room.ledger, ['', ...lines], { name: 'truths.jsonl', by: 'Ada' });
  expect(given).toMatchObject([
    { case: ids[0], right: true, by: 'Ada' },
    { case: ids[1], right: false },
    { case: ids[2], right: false },
  ]);
  expect((await room.ledger.decisions.listDecisions(ids[1]!))[0]).toMatchObject({
    label: 'unsafe',
    why: 'because',
    by: 'Ada',
  });
  expect(
    (await importFeedback(ownJobs, room.ledger, lines, { name: 'truths.jsonl', by: 'Ada' })).every(
      ({ repeated }) => repeated,
    ),
  ).toBe(true);
});

test.each([
  ['is not JSON', '{"case":', /^Line 2 of truths\.jsonl is not JSON/],
  ['has an unknown label', '{"case":"ID","label":"toxic"}', /^Line 2 of truths\.jsonl is no feedback: label/],
  ['names nothing', '{"label":"safe"}', /give "case"/],
  ['names what nobody judged', '{"subject":"never seen","label":"safe"}', /nothing was judged that is this text/],
  [
    'names an unknown case',
    '{"case":"mod-nothing","label":"safe"}',
    /^Line 2 of truths\.jsonl: There is no case mod-nothing/,
  ],
  [
    'contradicts an earlier line',
    '{"case":"ID","label":"unsafe"}',
    /says that .* is unsafe, and line 1 that it is safe/,
  ],
])('a line that %s is named, and nothing of the file is recorded', async (_, line, message) => {
  const id = await room.judge(text);
  const lines = [`{"case":"${id}","label":"safe"}`, line.replace('ID', id)];
  await expect(importFeedback(ownJobs, room.ledger, lines, { name: 'truths.jsonl' })).rejects.toMatchObject({
    code: 'bad-feedback',
    message: expect.stringMatching(message),
    hint: expect.stringContaining('Nothing was recorded.'),
  });
  expect(await room.ledger.decisions.listDecisions(id)).toEqual([]);
});
