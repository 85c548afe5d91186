import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPrompts } from './prompts.ts';

async function promptsIn(name: string, content: string | Uint8Array) {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-prompts-')), name);
  await writeFile(file, content);
  return (await readPrompts(file)).map((line) =>
    'item' in line ? `${line.line} ${line.item.id}: ${line.item.text}` : `${line.line} ${line.error.code}`,
  );
}

test('prompts come as lines of JSON, named by their id or their line', async () => {
  const lines =
    '{"id":"a","prompt":"One?"}\n\n{"text":"Two?"}\n{"id":7,"prompt":"Three?","label":"x"}\n{"id":"a","prompt":"Four?"}\n{"prompt":" ' +
    '"}\n{"question":"?"}\n{"prompt":\n';
  const expected = [
    '1 a: One?',
    '3 line-3: Two?',
    '4 7: Three?',
    '5 a#2: Four?',
    '6 empty-prompt',
    '7 broken-line',
    '8 broken-line',
  ];
  expect(await promptsIn('prompts.jsonl', lines)).toEqual(expected);
  expect(await promptsIn('prompts', lines)).toEqual(expected);
});

test('what no target could be asked, nor a judge could quote, is refused before it is asked', async () => {
  expect(
    await promptsIn('prompts.jsonl', '{"prompt":"half \\ud800"}\n{"prompt":"a\\u0000b"}\n{"prompt":"One?"}\n'),
  ).toEqual(['1 broken-line', '2 broken-line', '3 line-3: One?']);
});

test('or as CSV with a column for them', async () => {
  expect(
    await promptsIn('p.csv', '\uFEFFID,Category,Prompt\r\nq1,x,"One, or\ntwo ""three""?"\r\n\r\n,y,Four?\r\nq3,z,\r\n'),
  ).toEqual(['2 q1: One, or\ntwo "three"?', '5 line-5: Four?', '6 empty-prompt']);
});

test('or as plain lines', async () => {
  expect(await promptsIn('p.txt', 'One?\r\n\n  \n"Four", he said.\n[5]\n')).toEqual([
    '1 line-1: One?',
    '4 line-4: "Four", he said.',
    '5 line-5: [5]',
  ]);
});

test('a file without prompts, without the column, or that is no text is refused with the reason', async () => {
  await expect(promptsIn('p.txt', '\n \n')).rejects.toMatchObject({ code: 'empty-prompts' });
  await expect(promptsIn('p.csv', '')).rejects.toMatchObject({ code: 'empty-prompts' });
  await expect(promptsIn('p.csv', 'id,question\n1,One?\n')).rejects.toMatchObject({
    code: 'broken-prompts',
    message: expect.stringContaining('its columns are id, question'),
  });
  await expect(promptsIn('p.csv', 'prompt\n"One?\n')).rejects.toMatchObject({
    code: 'broken-prompts',
    message: expect.stringContaining('quote'),
  });
  await expect(promptsIn('p.txt', Buffer.from([0xff, 0xfe, 0x41]))).rejects.toMatchObject({ code: 'broken-prompts' });
  await expect(readPrompts('/nowhere/p.txt')).rejects.toMatchObject({ code: 'unreadable-file' });
});
