import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readVotes, countVotes, readVote } from './votes.ts';

const folders: string[] = [];

async function votesIn(name: string, text: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-votes-'));
  folders.push(folder);
  await writeFile(path.join(folder, name), text);
  return readVotes(path.join(folder, name));
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const short = ({ votes, problems }: Awaited<ReturnType<typeof readVotes>>) => ({
  votes: votes.map(({ id, rater, label, reason, line }) => [id, rater, label, reason, line]),
  problems: problems.map(({ line, message }) => `${line}: ${message}`),
});

describe('a file of votes', () => {
  test('is a vote a line, each with its rater', async () => {
    expect(
      short(
        await votesIn(
          'votes.jsonl',
          '{"id":"a","rater":"Ada","label":"unsafe","reason":"a threat"}\n\n{"id":7,"rater":"Ben","label":0}\n',
        ),
      ),
    ).toEqual({
      votes: [
        ['a', 'Ada', 'unsafe', 'a threat', 1],
        ['7', 'Ben', 'safe', null, 3],
      ],
      problems: [],
    });
  });

  test('is all of one rater where it is called by theirs; an item without a label has no vote yet', async () => {
    expect(
      short(
        await votesIn(
          'ada.jsonl',
          '{"id":"a","text":"A post","label":"unsafe"}\n{"id":"b","text":"A ' +
            'post","label":null}\n{"id":"c","text":"A post"}\n',
        ),
      ).votes,
    ).toEqual([['a', 'ada', 'unsafe', null, 1]]);
  });

  test('may be a table, with a header in any order, quotes and a byte-order mark', async () => {
    expect(
      short(
        await votesIn(
          'votes.csv',
          '\uFEFFLabel,ID,Rater,Reason\nunsafe,a,Ada,"first, a\nthreat"\n,b,Ada,\nsafe,c,Ada,\n',
        ),
      ).votes,
    ).toEqual([
      ['a', 'Ada', 'unsafe', 'first, a\nthreat', 2],
      ['c', 'Ada', 'safe', null, 5],
    ]);
    expect(short(await votesIn('ben.tsv', 'id\tlabel\na\tsafe\n')).votes).toEqual([['a', 'ben', 'safe', null, 2]]);
  });

  test('names what it cannot count, each with its line', async () => {
    const { votes, problems } = short(
      await votesIn(
        'votes.jsonl',
        '{"id":"a","label":"maybe"}\n{"label":"safe"}\n{"id":"b"\n[1]\n{"id":"c","label":"safe","screen":{}}\n',
      ),
    );
    expect(votes).toEqual([]);
    expect(problems).toEqual([
      '1: The label "maybe" is not known: safe, unsafe.',
      '2: It does not say which item it is about: "id" is missing.',
      expect.stringMatching(/^3: The line is not JSON/),
      '4: It is not an object.',
      '5: It is a flagged item with the label it came with, not a vote.',
    ]);
  });

  test('that is empty, or a table without the columns, is refused', async () => {
    await expect(votesIn('votes.jsonl', '\n')).rejects.toMatchObject({ code: 'empty-votes' });
    await expect(votesIn('votes.csv', 'id,label\n')).rejects.toMatchObject({ code: 'empty-votes' });
    await expect(votesIn('votes.csv', 'item,vote\na,safe\n')).rejects.toMatchObject({
      code: 'broken-csv',
      message: 'The header of votes.csv has no column "id", "label".',
    });
    await expect(votesIn('votes.csv', 'id,label\na,"safe\n')).rejects.toMatchObject({ code: 'broken-csv' });
  });
});

test('labels may be called otherwise, even as a property of every object', () => {
  const labels = { risky: 'unsafe', constructor: 'safe' } as const;
  expect(readVote({ id: 'a', label: 'risky' }, { rater: 'Ada', labels })?.label).toBe('unsafe');
  expect(readVote({ id: 'a', label: 'constructor' }, { rater: 'Ada', labels })?.label).toBe('safe');
  expect(() => readVote({ id: 'a', label: 'toString' }, { rater: 'Ada', labels })).toThrow('not known');
});

describe('counting', () => {
  const vote = (id: string, rater: string, label: 'safe' | 'unsafe', line: number, file = 'votes.jsonl') => ({
    id,
    rater,
    label,
    reason: null,
    file,
    line,
  });

  test('sorts votes by item and rater, and takes the same vote twice for one', () => {
    const { byItem, raters, problems } = countVotes(
      [vote('a', 'Ben', 'safe', 1), vote('a', 'Ada', 'unsafe', 2), vote('a', 'Ben', 'safe', 3)],
      new Set(['a']),
    );
    expect([byItem.get('a')!.map(({ rater, label }) => `${rater} ${label}`), raters, problems]).toEqual([
      ['Ada unsafe', 'Ben safe'],
      ['Ada', 'Ben'],
      [],
    ]);
  });

  test('names votes for unknown items, and raters who say two things', () => {
    const { problems } = countVotes(
      [
        vote('x', 'Ada', 'safe', 1),
        vote('a', 'Ada', 'safe', 2),
        vote('a', 'Ada', 'unsafe', 5),
        vote('a', 'Ada', 'unsafe', 1, 'more.csv'),
      ],
      new Set(['a']),
    );
    expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'votes.jsonl:1 There is no item "x".',
      'votes.jsonl:5 Ada says unsafe of "a", and safe on line 2.',
      'more.csv:1 Ada says unsafe of "a", and safe on line 2 of votes.jsonl.',
    ]);
  });
});
