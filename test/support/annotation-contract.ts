import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import type { AnnotationProject, AnnotatorFinding, Ledger, Marking, NewAnnotationItem } from '@agonhq/ledger';
import { collect, exportedText, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

/** What every ledger does with annotation projects. One ledger serves all these tests. */
export function annotationContract({ make }: LedgerMaker): void {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await make();
  });
  afterAll(() => ledger.close());

  const pictureOf = (name: string) => ({
    hash: sha256(name),
    mediaType: 'image/png',
    data: new TextEncoder().encode(name),
  });
  const itemAt = (position: number, ...images: string[]): NewAnnotationItem => ({
    position,
    key: `item-${position}`,
    content: { text: `Text ${position}` },
    images: images.map((name) => ({ name, hash: sha256(name) })),
  });

  async function projectOf(
    id: string,
    items: readonly NewAnnotationItem[],
    more: Partial<AnnotationProject> = {},
  ): Promise<AnnotationProject> {
    for (const { images } of items)
      for (const { name } of images) await ledger.attachments.keepAttachment(pictureOf(name));
    return ledger.annotations.createProject(
      {
        id,
        name: id,
        labels: ['safe', 'unsafe'],
        votes: 2,
        guidelines: null,
        marking: null,
        createdBy: null,
        ...more,
      },
      Readable.from(items),
    );
  }
  const vote = (
    id: string,
    position: number,
    by: string,
    label: string,
    to = ledger,
    finding: AnnotatorFinding | null = null,
  ) => to.annotations.keepVote(id, position, { by, label, why: null, viewed: ['text'], tookMs: 900, finding });
  const states = async (id: string) =>
    (await ledger.annotations.listItems(id, { limit: 10 })).map(({ state, label }) => [state, label]);
  const isKept = async (name: string) => (await ledger.attachments.findAttachment(sha256(name))) !== undefined;

  test('a project keeps its items with their images, in the order of the dataset', async () => {
    const made = await projectOf('memes', [itemAt(0, 'a.png', 'b.png'), itemAt(1), itemAt(2, 'a.png')], {
      guidelines: 'Look twice.',
      createdBy: 'Ada',
      votes: 3,
      labels: ['fine', 'not fine'],
    });
    expect(made).toEqual({
      id: 'memes',
      name: 'memes',
      labels: ['fine', 'not fine'],
      votes: 3,
      guidelines: 'Look twice.',
      marking: null,
      createdBy: 'Ada',
      createdAt: expect.any(Date) as Date,
    });
    expect(await ledger.annotations.findProject('memes')).toEqual(made);
    const items = await ledger.annotations.listItems('memes', { limit: 2 });
    expect(
      items.map(({ key, content, images }) => [
        key,
        content,
        images.map(({ name, mediaType }) => `${name} ${mediaType}`),
      ]),
    ).toEqual([
      ['item-0', { text: 'Text 0' }, ['a.png image/png', 'b.png image/png']],
      ['item-1', { text: 'Text 1' }, []],
    ]);
    expect(
      (await ledger.annotations.listItems('memes', { limit: 2, after: 1 })).map(({ position }) => position),
    ).toEqual([2]);
    expect(await ledger.annotations.findImage('memes', sha256('b.png'))).toEqual(pictureOf('b.png'));
    expect(await ledger.annotations.findImage('other', sha256('b.png'))).toBeUndefined();
    expect(await ledger.annotations.countProgress('memes')).toEqual({
      items: 3,
      open: 3,
      disputed: 0,
      agreed: 0,
      adjudicated: 0,
      votes: 0,
    });
  });

  test('nothing is left of one whose items break off, nor of a second one of the same name', async () => {
    async function* broken() {
      yield itemAt(0);
      throw new Error('the file broke off');
    }
    const half = {
      id: 'half',
      name: 'half',
      labels: ['safe', 'unsafe'],
      votes: 2,
      guidelines: null,
      marking: null,
      createdBy: null,
    };
    await expect(ledger.annotations.createProject(half, broken())).rejects.toThrow('the file broke off');
    expect(await ledger.annotations.findProject('half')).toBeUndefined();
    await projectOf('taken', [itemAt(0)]);
    await expect(projectOf('another', [itemAt(0)], { name: 'taken' })).rejects.toMatchObject({
      code: 'annotation-exists',
    });
    expect((await ledger.annotations.listProjects()).map(({ name }) => name)).toEqual(['taken', 'memes']);
  });

  test(
    'an item is open until all have voted, agreed when they say the same, and disputed otherwise until ' +
      'somebody settles it',
    async () => {
      await projectOf('votes', [itemAt(0), itemAt(1), itemAt(2)]);
      await vote('votes', 0, 'ada', 'unsafe');
      await vote('votes', 0, 'ada', 'safe');
      await vote('votes', 0, 'ben', 'safe');
      await vote('votes', 1, 'ada', 'safe');
      await vote('votes', 1, 'ben', 'unsafe');
      await vote('votes', 2, 'ada', 'safe');
      expect(await states('votes')).toEqual([
        ['agreed', 'safe'],
        ['disputed', null],
        ['open', null],
      ]);
      const settle = (position: number, by: string, label: string) =>
        ledger.annotations.keepAdjudication('votes', position, { by, label, why: 'It is a film.', finding: null });
      await expect(settle(0, 'cleo', 'safe')).rejects.toMatchObject({ code: 'not-disputed' });
      await expect(settle(2, 'cleo', 'safe')).rejects.toMatchObject({ code: 'not-disputed' });
      await settle(1, 'cleo', 'safe');
      await settle(1, 'cleo', 'unsafe');
      await expect(settle(1, 'ada', 'safe')).rejects.toMatchObject({ code: 'already-adjudicated' });
      expect(await ledger.annotations.findItem('votes', 1)).toMatchObject({
        state: 'adjudicated',
        label: 'unsafe',
        adjudication: { by: 'cleo', label: 'unsafe', why: 'It is a film.' },
        votes: [
          { by: 'ada', label: 'safe', tookMs: 900 },
          { by: 'ben', label: 'unsafe' },
        ],
      });
      expect(await ledger.annotations.countProgress('votes')).toEqual({
        items: 3,
        open: 1,
        disputed: 0,
        agreed: 1,
        adjudicated: 1,
        votes: 5,
      });
      expect(await ledger.annotations.listVoters('votes')).toEqual([
        { name: 'ada', votes: 3 },
        { name: 'ben', votes: 2 },
      ]);
      expect(
        (await ledger.annotations.listItems('votes', { limit: 10, states: ['open', 'adjudicated'] })).map(
          ({ position }) => position,
        ),
      ).toEqual([1, 2]);
      expect(
        (await collect(ledger.annotations.readRatings('votes'))).map((item) =>
          [...item].map(([by, { label }]) => [by, label]),
        ),
      ).toEqual([
        [
          ['ada', 'safe'],
          ['ben', 'safe'],
        ],
        [
          ['ada', 'safe'],
          ['ben', 'unsafe'],
        ],
      ]);
    },
  );

  test('once all votes are in, none is changed and none is added, however many come at once', async () => {
    await projectOf('crowd', [itemAt(0)], { votes: 3 });
    const outcomes = await Promise.allSettled(
      ['ada', 'ben', 'cleo', 'dan', 'eve'].map((by) => vote('crowd', 0, by, by === 'ada' ? 'safe' : 'unsafe')),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(['votes-are-in', 'votes-are-in']);
    const { votes } = (await ledger.annotations.findItem('crowd', 0))!;
    expect(votes).toHaveLength(3);
    await expect(vote('crowd', 0, votes[0]!.by, 'safe')).rejects.toMatchObject({ code: 'votes-are-in' });
    await expect(vote('crowd', 7, 'ada', 'safe')).rejects.toMatchObject({ code: 'unknown-item' });
  });

  test('what needs a vote is what most have voted on, then the order of the dataset, and never what one has voted on', async () => {
    await projectOf('next', [itemAt(0), itemAt(1), itemAt(2), itemAt(3)]);
    await vote('next', 2, 'ada', 'safe');
    await vote('next', 3, 'ada', 'safe');
    await vote('next', 3, 'ben', 'safe');
    const needing = async (voter: string, except?: number[]) =>
      (await ledger.annotations.listOpenItems('next', voter, { limit: 9, ...(except ? { except } : {}) })).map(
        ({ position, voted }) => [position, voted],
      );
    expect(await needing('ben')).toEqual([
      [2, 1],
      [0, 0],
      [1, 0],
    ]);
    expect(await needing('ada')).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(await needing('ben', [2, 0])).toEqual([[1, 0]]);
    expect([
      await ledger.annotations.countOpenItems('next', 'ada'),
      await ledger.annotations.countOpenItems('next', 'ben'),
      await ledger.annotations.countOpenItems('next', 'new'),
    ]).toEqual([2, 3, 3]);
  });

  test('an item is in no more hands than it needs votes, however many ask at once, until somebody has voted', async () => {
    await projectOf('hands', [itemAt(0), itemAt(1)], { votes: 2 });
    const people = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'];
    const ask = (voter: string, except: number[] = []) => ledger.annotations.assignItem('hands', voter, except);
    const given = new Map(await Promise.all(people.map(async (voter) => [voter, await ask(voter)] as const)));
    expect([...given.values()].map(String).toSorted()).toEqual(['0', '0', '1', '1', 'null', 'null']);
    for (const [voter, position] of given) expect(await ask(voter)).toBe(position);
    const [first, position] = [...given].find(([, each]) => each !== null)!;
    const [late] = [...given].find(([, each]) => each === null)!;
    expect(await ask(first, [position!])).toBe(null);
    expect(await ask(late)).toBe(position);
    await vote('hands', position!, late, 'safe');
    expect(await ask(late)).toBe(null);
  });

  test('tags and severities that differ are a dispute, marks alone are not, and all of them are kept', async () => {
    const marking: Marking = {
      tags: [
        { id: 'threats.plan', title: 'Plans' },
        { id: 'insult', title: null },
      ],
      severities: ['low', 'high'],
      policy: { name: 'House rules', version: '2' },
    };
    const found = (start: number, more: Partial<AnnotatorFinding> = {}): AnnotatorFinding => ({
      tags: ['threats.plan'],
      severity: 'high',
      marks: [
        { kind: 'span', part: 'text', start, end: start + 3, tag: 'threats.plan' },
        { kind: 'region', image: sha256('m.png'), x: 0.1, y: 0.25, width: 0.5, height: 0.125, tag: 'threats.plan' },
      ],
      ...more,
    });
    expect(await projectOf('marked', [itemAt(0, 'm.png'), itemAt(1), itemAt(2)], { marking })).toMatchObject({
      marking,
    });
    for (const [position, ada, ben] of [
      [0, found(0), found(2)],
      [1, found(0), found(0, { tags: ['insult', 'threats.plan'] })],
      [2, found(1), found(1, { severity: 'low' })],
    ] as const) {
      await vote('marked', position, 'ada', 'unsafe', ledger, ada);
      await vote('marked', position, 'ben', 'unsafe', ledger, ben);
    }
    expect(await states('marked')).toEqual([
      ['agreed', 'unsafe'],
      ['disputed', null],
      ['disputed', null],
    ]);
    const settled = found(1, { severity: null });
    await ledger.annotations.keepAdjudication('marked', 1, {
      by: 'cleo',
      label: 'unsafe',
      why: 'Only the plan.',
      finding: settled,
    });
    const item = (await ledger.annotations.findItem('marked', 1))!;
    expect([item.state, item.adjudication!.finding, item.votes.map(({ finding }) => finding)]).toEqual([
      'adjudicated',
      settled,
      [found(0), found(0, { tags: ['insult', 'threats.plan'] })],
    ]);
    const [first] = await collect(ledger.annotations.readRatings('marked'));
    expect(first!.get('ben')).toEqual({ label: 'unsafe', finding: found(2) });
    expect((await ledger.annotations.findProject('marked'))!.marking).toEqual(marking);
  });

  test('what is forgotten goes from projects too, with its votes and marks; what says more or less stays', async () => {
    const words = 'Text 1\u0000 with "quotes"';
    const item = (position: number, content: object, ...images: string[]) => ({
      ...itemAt(position, ...images),
      content,
    });
    const items = [item(0, { text: words }, 'f.png'), item(1, { text: words }), item(2, { text: 'Other' }, 'f.png')];
    await projectOf('forgetful', items);
    const finding: AnnotatorFinding = {
      tags: ['a'],
      severity: null,
      marks: [{ kind: 'span', part: 'text', start: 0, end: 4, tag: 'a' }],
    };
    for (const position of [0, 1, 2])
      for (const by of ['ada', 'ben']) await vote('forgetful', position, by, 'unsafe', ledger, finding);
    const subject = { hash: sha256('forgetful'), content: { text: words }, attachments: [pictureOf('f.png')] };
    await ledger.cases.openCase(openedCase('forgetful', { subject }));
    await ledger.cases.forgetSubject(subject.hash);
    const left = await ledger.annotations.listItems('forgetful', { limit: 9 });
    expect(left.map(({ position, votes }) => [position, votes.length])).toEqual([
      [1, 2],
      [2, 2],
    ]);
    expect(await ledger.annotations.findItem('forgetful', 0)).toBeUndefined();
    expect(await isKept('f.png')).toBe(true);
    expect(await ledger.annotations.countProgress('forgetful')).toMatchObject({ items: 2, votes: 4 });
    await ledger.annotations.removeProject('forgetful');
    expect(await isKept('f.png')).toBe(false);
  });

  describe('images', () => {
    test('stay when cases are pruned or forgotten, and go with the last project or case that shows them', async () => {
      await projectOf('first', [itemAt(0, 'shared.png', 'only.png', 'judged.png')]);
      await projectOf('second', [itemAt(0, 'shared.png')]);
      await ledger.cases.openCase(
        openedCase('pictured', {
          subject: {
            hash: sha256('pictured'),
            content: {},
            attachments: [pictureOf('judged.png'), pictureOf('only.png')],
          },
        }),
      );
      await ledger.cases.forgetSubject(sha256('pictured'));
      expect([await isKept('only.png'), await isKept('judged.png')]).toEqual([true, true]);
      await ledger.cases.openCase(
        openedCase('again', {
          subject: { hash: sha256('again'), content: {}, attachments: [pictureOf('judged.png')] },
        }),
      );
      for (const what of ['contents', 'unfinished'] as const) await ledger.prune({ before: new Date(0), what });
      expect(await ledger.annotations.removeProject('first')).toBe(true);
      expect([await isKept('shared.png'), await isKept('only.png'), await isKept('judged.png')]).toEqual([
        true,
        false,
        true,
      ]);
      expect(await ledger.annotations.listItems('first', { limit: 1 })).toEqual([]);
      await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'cases' });
      expect([await isKept('shared.png'), await isKept('judged.png')]).toEqual([true, false]);
      expect([
        await ledger.annotations.removeProject('second'),
        await ledger.annotations.removeProject('second'),
      ]).toEqual([true, false]);
      expect(await isKept('shared.png')).toBe(false);
    });
  });

  test('stands in an export', async () => {
    const kinds = (await exportedText(ledger))
      .split('\n')
      .map((line) => /^{"kind":"(annotation-[a-z]+)"/.exec(line)?.[1]);
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    expect(['annotation-project', 'annotation-vote', 'annotation-adjudication'].map(count)).toEqual([7, 18, 2]);
  });

  test('is counted', async () => {
    expect(await ledger.readStats()).toMatchObject({ annotations: 7, annotationVotes: 18 });
  });
}
