import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ResolveReport, ScreeningReport } from '@agonhq/bench';
import { panelReply, roleOf } from '../support/fake-panel.ts';
import type { FakeRequest } from '../fake-provider/index.ts';
import { oneLine, openCourt, openTribunal, until, type Court } from '../support/run-agon.ts';

/** A panel that finds every knife. */
const knives = (request: FakeRequest) => {
  const holds = request.prompt.includes('knife');
  return panelReply(
    {
      arbiter: {
        risk: { why: 'A knife.', evidence: holds ? ['knife'] : [], holds, clauses: holds ? ['weapons'] : [] },
        score: holds ? 0.9 : 0.1,
      },
    },
    request,
  );
};

const linesOf = (...items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const read = async (court: Pick<Court, 'file'>, name: string) =>
  (await readFile(await court.file(name), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const raw = linesOf(
  { id: 'walk', text: 'What a lovely morning for a walk in the park.', label: 'safe' },
  {
    id: 'threat',
    text: 'I will find you with my knife and hurt you, you worthless rat.',
    label: 1,
    category: 'threats',
  },
  { id: 'bread', text: 'Which knife do you use for bread?', label: 'safe', category: 'kitchen' },
  { text: 'The train leaves at nine.' },
  { id: 'walk', text: 'A bread knife lies on the table.' },
);

describe.concurrent('agon bench screen moderation', () => {
  const screening = ({ data = 'raw.jsonl', systems = 'full,guard', flagged = 'flagged.jsonl' } = {}) => [
    'bench',
    'screen',
    'moderation',
    '--data',
    data,
    '--systems',
    systems,
    '--flagged',
    flagged,
  ];
  const screen = screening();

  test('flags what systems do not judge as it is labelled, or not alike; labels are optional', async () => {
    const court = await openCourt(knives);
    await court.file('raw.jsonl', raw);
    const { code, stdout, stderr } = await court.agon([...screen, '--agreed', 'agreed.jsonl', '--json']);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Flagged: flagged\.jsonl\nAgreed: agreed\.jsonl\n$/),
    });
    const report = JSON.parse(stdout) as ScreeningReport;
    const flagged = await read(court, 'flagged.jsonl');
    const agreed = await read(court, 'agreed.jsonl');
    expect(report).toMatchObject({
      version: 1,
      job: 'moderation',
      data: { file: 'raw.jsonl' },
      quorum: 1,
      items: 5,
      labelled: 3,
      flagged: flagged.length,
      share: flagged.length / 5,
      broken: [],
    });
    // The panel calls every knife unsafe, against the label of one.
    expect(flagged).toContainEqual(
      expect.objectContaining({
        id: 'bread',
        label: 'safe',
        category: 'kitchen',
        screen: expect.objectContaining({
          reasons: expect.arrayContaining([{ why: 'against-label', systems: expect.arrayContaining(['full']) }]),
        }),
      }),
    );
    expect(agreed.map(({ id }) => id)).toEqual(expect.arrayContaining(['walk', 'threat', 'line-4']));
    expect(new Set([...flagged, ...agreed].map(({ id }) => id))).toEqual(
      new Set(['walk', 'threat', 'bread', 'line-4', 'walk#2']),
    );
    expect(report.systems.map(({ name, withLabel }) => [name, withLabel.items])).toEqual([
      ['full', 3],
      ['guard', 3],
    ]);
    expect(report.pairs).toEqual([expect.objectContaining({ first: 'full', second: 'guard', items: 5 })]);
  });

  test('takes judgements up again from --out, and asks nobody twice', async () => {
    const court = await openCourt(knives);
    await court.file('raw.jsonl', raw);
    const first = await court.agon([...screen, '--out', 'results.jsonl', '--json']);
    const asked = court.panel.requests.length;
    const second = await court.agon([...screening({ flagged: 'again.jsonl' }), '--out', 'results.jsonl', '--json']);
    expect([first.code, second.code, second.stdout]).toEqual([0, 0, first.stdout]);
    expect(court.panel.requests.length).toBe(asked);
    expect(await readFile(await court.file('again.jsonl'), 'utf8')).toBe(
      await readFile(await court.file('flagged.jsonl'), 'utf8'),
    );
  });

  test('stopped by Ctrl-C it writes no flagged items, and goes on from there', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file(
      'raw.jsonl',
      linesOf(...Array.from({ length: 8 }, (_, index) => ({ id: `p${index}`, text: `Post ${index}`, label: 'safe' }))),
    );
    const command = [...screen, '--out', 'results.jsonl', '--concurrency', '1'];
    const started = court.start(command);
    await until(
      async () => (await readFile(await court.file('results.jsonl'), 'utf8').catch(() => '')).split('\n').length > 3,
    );
    started.child.kill('SIGINT');
    expect(await started.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(/again to continue\. \(cancelled\)\n$/),
    });
    await expect(read(court, 'flagged.jsonl')).rejects.toThrow('ENOENT');
    expect((await court.agon(command)).code).toBe(0);
    expect(court.panel.requests.filter((request) => roleOf(request) === 'arbiter').length).toBeLessThanOrEqual(9);
  });

  test('says which lines are no items, and goes on with the others', async () => {
    const court = await openCourt(knives);
    await court.file('raw.jsonl', `${raw}{"id":"broken"\n{"id":"odd","text":"A note","label":"perhaps"}\n`);
    const { code, stdout, stderr } = await court.agon([...screen, '-q', '--json']);
    expect(code).toBe(0);
    for (const line of [6, 7])
      expect(stderr).toMatch(new RegExp(`^agon: raw\\.jsonl, full, line ${line}: .+\\)$`, 'm'));
    expect(JSON.parse(stdout)).toMatchObject({
      items: 5,
      broken: [{ line: 6 }, { line: 7, problem: 'The label "perhaps" is not known.' }],
    });
  });

  test('shows people who agrees with whom', async () => {
    const court = await openCourt(knives);
    await court.file('raw.jsonl', raw);
    const { stdout } = await court.agon([...screen, '-q']);
    expect(stdout).toMatch(/^raw\.jsonl · 5 items, 3 labelled · sha256 \w{12}…\n\d flagged \([\d.]+ %\): /);
    expect(stdout).toMatch(/^system +matches label +kappa +undecided +failed +κ full +κ guard$/m);
    expect(stdout).toMatch(/^Agreement of systems: [\d.]+ % of pairs agree · Krippendorff's α /m);
  });

  test.each<[string, string[], number]>([
    ['two files', [...screen, '--data', 'raw.jsonl'], 2],
    ['a quorum that nobody can reach', [...screen, '--quorum', '3'], 2],
    ['a system that there is not', screening({ systems: 'oracle' }), 2],
    ['a key without --blind', [...screen, '--key', 'key.jsonl'], 2],
    ['one file for two things', [...screen, '--agreed', 'flagged.jsonl'], 2],
    ['data that is not there', screening({ data: 'nowhere.jsonl' }), 1],
    ['flagged items that people may have worked on', screening({ flagged: 'labelled.jsonl' }), 1],
  ])('refuses %s in one line', async (_, args, expected) => {
    const court = await openCourt(knives);
    await court.file('raw.jsonl', raw);
    await court.file('labelled.jsonl', '{"id":"a","label":"safe"}\n');
    const { code, stdout, stderr } = await court.agon([...args, '-q']);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(court.panel.requests).toEqual([]);
    expect(await readFile(await court.file('labelled.jsonl'), 'utf8')).toBe('{"id":"a","label":"safe"}\n');
  });
});

test('from our own exchanges to votes and back: screened blind, voted on by three, measured again', async () => {
  const court = await openTribunal();
  const exchanges = await readFile(
    path.join(import.meta.dirname, '..', '..', 'packages', 'lab', 'bench', 'cases', 'risk-concepts.jsonl'),
    'utf8',
  );
  await court.file(
    'raw.jsonl',
    exchanges
      .split('\n')
      .filter((_, index) => index % 4 === 0)
      .join('\n'),
  );
  const embedded = { cwd: court.folder, environment: { AGON_MODEL: 'embedded:guard-2' } };
  await court.file('agon.config.json', '{}');
  const screened = await court.agon(
    [
      'bench',
      'screen',
      'evaluation',
      '--data',
      'raw.jsonl',
      '--systems',
      'debate,guard,pattern-match',
      '--flagged',
      'flagged.jsonl',
      '--blind',
      '--json',
      '-q',
    ],
    embedded,
  );
  expect(screened).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(screened.stdout) as ScreeningReport;
  const [flagged, key] = [await read(court, 'flagged.jsonl'), await read(court, 'flagged.key.jsonl')];
  expect(report.flagged).toBeGreaterThan(0);
  expect(flagged.map((item) => Object.keys(item))).toEqual(flagged.map(() => ['id', 'prompt', 'response']));
  expect(key.map(({ id }) => id)).toEqual(flagged.map(({ id }) => id));

  // Ada and Cyd vote as the data is labelled, Ben calls all unsafe; Cyd has not come to the last item.
  const labels = key.map(({ id, label }) => ({ id, label: label as string }));
  await court.file('ada.jsonl', linesOf(...labels));
  await court.file(
    'ben.csv',
    `id,label,reason\n${labels.map(({ id }) => `${String(id)},unsafe,"to be safe, rather"\n`).join('')}`,
  );
  await court.file('votes.jsonl', linesOf(...labels.slice(0, -1).map((vote) => ({ ...vote, rater: 'Cyd' }))));
  const resolve = [
    'bench',
    'screen',
    'resolve',
    'flagged.jsonl',
    '--votes',
    'ada.jsonl',
    '--votes',
    'ben.csv',
    '--votes',
    'votes.jsonl',
    '--key',
    'flagged.key.jsonl',
    '--out',
    'decided.jsonl',
    '--open',
    'open.jsonl',
  ];
  const resolved = await court.agon([...resolve, '--json'], embedded);
  expect(resolved).toMatchObject({ code: 0, stderr: '' });
  const safe = labels.slice(0, -1).filter(({ label }) => label === 'safe').length;
  const outcome = JSON.parse(resolved.stdout) as ResolveReport;
  expect(outcome).toMatchObject({
    version: 1,
    items: labels.length,
    decided: labels.length - 1,
    unanimous: labels.length - 1 - safe,
    changed: { labelled: labels.length - 1, items: [] },
    open: [{ id: labels.at(-1)!.id, why: 'missing-votes', missing: ['Cyd'] }],
    agreement: { items: labels.length, raters: 3, cohen: null },
    raters: [
      { name: 'Cyd', votes: labels.length - 1, withMajority: 1 },
      { name: 'ada', withMajority: 1 },
      { name: 'ben' },
    ],
  });
  expect(await read(court, 'open.jsonl')).toEqual([flagged.at(-1)]);
  const decided = await read(court, 'decided.jsonl');
  expect(decided[0]).toMatchObject({
    id: labels[0]!.id,
    prompt: flagged[0]!['prompt'],
    model: expect.any(String),
    label: labels[0]!.label,
    label_before: labels[0]!.label,
    raters: [labels[0]!.label, labels[0]!.label, 'unsafe'],
    agreement: expect.any(Number),
    screen: expect.any(Object),
  });
  expect((decided[0]!['votes'] as object[])[2]).toEqual({
    rater: 'ben',
    label: 'unsafe',
    reason: 'to be safe, rather',
  });

  const shown = await court.agon(resolve, embedded);
  expect(shown.stdout).toMatch(
    /^\d+ of \d+ items decided: \d+ unsafe, \d+ safe, \d+ unanimously\n0 of \d+ labels changed\nAgreement of 3 people on \d+ items: [\d.]+ % of pairs agree · Krippendorff's α /,
  );
  expect(shown.stdout).toMatch(/^1 still open: .+ \(no vote by Cyd\)$/m);

  const measured = await court.agon(
    ['bench', 'evaluation', '--data', 'decided.jsonl', '--evaluators', 'guard', '--json', '-q'],
    embedded,
  );
  expect(measured).toMatchObject({ code: 0 });
  expect(JSON.parse(measured.stdout)).toMatchObject({
    job: 'evaluation',
    data: { file: 'decided.jsonl', items: decided.length },
  });
}, 90_000);

describe.concurrent('agon bench screen resolve', () => {
  const resolve = ['bench', 'screen', 'resolve', 'flagged.jsonl', '--votes', 'votes.jsonl', '--out', 'decided.jsonl'];
  const flagged = linesOf(
    { id: 'a', text: 'One', label: 'safe', screen: {} },
    { id: 'b', text: 'Two', label: 'unsafe', screen: {} },
  );

  test('names every vote that cannot be counted, with its file and line, and decides nothing', async () => {
    const court = await openCourt();
    await court.file('flagged.jsonl', flagged);
    await court.file(
      'votes.jsonl',
      linesOf(
        { id: 'a', rater: 'Ada', label: 'safe' },
        { id: 'z', rater: 'Ada', label: 'safe' },
        { id: 'a', rater: 'Ada', label: 'unsafe' },
        { id: 'b', rater: 'Ada', label: 'maybe' },
      ),
    );
    const { code, stdout, stderr } = await court.agon(resolve);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n').slice(0, -1)).toEqual([
      'agon: votes.jsonl, line 4: The label "maybe" is not known: safe, unsafe.',
      'agon: votes.jsonl, line 2: There is no item "z".',
      'agon: votes.jsonl, line 3: Ada says unsafe of "a", and safe on line 1.',
      expect.stringMatching(/^agon: 3 votes cannot be counted: nothing was decided\. .+ \(bad-votes\)$/),
    ]);
    await expect(read(court, 'decided.jsonl')).rejects.toThrow('ENOENT');
  });

  test('counts labels that people changed', async () => {
    const court = await openCourt();
    await court.file('flagged.jsonl', flagged);
    await court.file(
      'votes.jsonl',
      linesOf(
        ...['Ada', 'Ben'].flatMap((rater) => [
          { id: 'a', rater, label: 'risky' },
          { id: 'b', rater, label: 'unsafe' },
        ]),
      ),
    );
    const { stdout } = await court.agon([...resolve, '--map-label', 'risky=unsafe', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      decided: 2,
      changed: { labelled: 2, items: [{ id: 'a', line: 1, from: 'safe', to: 'unsafe' }] },
      agreement: { percent: 1, raters: 2 },
    });
    expect(await read(court, 'decided.jsonl')).toMatchObject([
      { id: 'a', label: 'unsafe', label_before: 'safe', raters: ['unsafe', 'unsafe'], agreement: 1 },
      { id: 'b', label: 'unsafe' },
    ]);
  });

  test('takes hard cases that `agon evaluate --hard` collected, and copies of them with labels', async () => {
    const court = await openCourt();
    const hard = (id: string, label: string | null, notes = '') => ({
      id,
      prompt: 'A question',
      response: 'An answer',
      votes: { debate: 'safe', guard: 'unsafe' },
      why: ['evaluators disagree'],
      disagreement: 1,
      label,
      risk: null,
      notes,
    });
    await court.file('flagged.jsonl', linesOf(hard('a', null), hard('b', null)));
    await court.file('votes.jsonl', linesOf(hard('a', 'unsafe', 'a threat'), hard('b', null)));
    const { stdout } = await court.agon([...resolve, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      decided: 1,
      open: [{ id: 'b', missing: ['votes'] }],
      changed: { labelled: 0 },
    });
    expect(await read(court, 'decided.jsonl')).toMatchObject([
      {
        id: 'a',
        prompt: 'A question',
        label: 'unsafe',
        raters: ['unsafe'],
        votes: [{ rater: 'votes', label: 'unsafe', reason: 'a threat' }],
      },
    ]);
  });

  test.each<[string, string, string, string, number?]>([
    ['an empty file of votes', flagged, '\n', 'empty-votes'],
    ['a file in which nobody has voted yet', flagged, '{"id":"a","label":null}\n', 'empty-votes'],
    ['no items', '\n', '{"id":"a","label":"safe"}\n', 'empty-data', 4],
    ['items without an id', '{"text":"One"}\n', '{"id":"a","label":"safe"}\n', 'not-flagged'],
    ['an id that comes twice', '{"id":"a"}\n{"id":"a"}\n', '{"id":"a","label":"safe"}\n', 'not-flagged'],
  ])('refuses %s in one line', async (_, items, votes, code, ends = 1) => {
    const court = await openCourt();
    await court.file('flagged.jsonl', items);
    await court.file('votes.jsonl', votes);
    const ran = await court.agon(resolve);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: ends, stdout: '' });
    expect(ran.stderr).toMatch(oneLine);
    expect(ran.stderr).toContain(`(${code})`);
  });

  test('refuses a key of something else', async () => {
    const court = await openCourt();
    await court.file('flagged.jsonl', flagged);
    await court.file('votes.jsonl', linesOf({ id: 'a', rater: 'Ada', label: 'safe' }));
    await court.file('flagged.jsonl.votes', linesOf({ id: 'a', rater: 'Ada', label: 'risky' }));
    await court.file('key.jsonl', linesOf({ id: 'a', line: 1, label: 'safe', item: {}, screen: {} }));
    const absent = await court.agon([...resolve, '--key', 'nowhere.jsonl']);
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('(unreadable-file)')]);
    const votes = await court.agon([...resolve, '--key', 'flagged.jsonl.votes']);
    expect(votes.stderr).toMatch(
      /^agon: flagged\.jsonl\.votes is not the key of a screening: its line 1 is something else\. .+ \(wrong-key\)\n$/,
    );
    const other = await court.agon([...resolve, '--key', 'key.jsonl']);
    expect(other.stderr).toMatch(/says nothing of "b", line 2 .+ \(wrong-key\)\n$/);
  });
});
