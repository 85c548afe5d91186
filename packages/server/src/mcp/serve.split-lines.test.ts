import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { wholeLines } from './serve.ts';

async function handedOn(chunks: readonly string[], longest: number) {
  const dropped: string[] = [];
  const heard: string[] = [];
  const lines = wholeLines(longest, () => dropped.push('dropped'));
  lines.on('data', (line: Buffer) => heard.push(line.toString()));
  await new Promise((resolve) =>
    Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
      .pipe(lines)
      .on('end', resolve),
  );
  return { heard, dropped: dropped.length };
}

test('lines are handed on whole, however they come', async () => {
  expect(await handedOn(['on', 'e\ntwo\nth', 'r', 'ee\n', 'never ended'], 100)).toEqual({
    heard: ['one\n', 'two\n', 'three\n'],
    dropped: 0,
  });
});

test('a line that is too long is dropped, and the next is heard', async () => {
  expect(await handedOn(['short\n', 'x'.repeat(50), 'y'.repeat(60), 'z\nheard', '\n'], 100)).toEqual({
    heard: ['short\n', 'heard\n'],
    dropped: 1,
  });
});
