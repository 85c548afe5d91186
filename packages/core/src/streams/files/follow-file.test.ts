import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followFile } from './follow-file.ts';
import { openFileSink } from './line-sinks.ts';
import { keepInFile } from './position.ts';
import { runStream, type StreamCounts } from '../run-stream.ts';

let folder: string;
let items: string;
let out: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agon-follow-'));
  items = path.join(folder, 'items.jsonl');
  out = path.join(folder, 'results.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Followed {
  notes: string[];
  judged: string[];
  stop(): Promise<StreamCounts>;
}

/** Judges the lines of the file into the output, until it is stopped. */
async function follow(judgeMs = 0): Promise<Followed> {
  const notes: string[] = [];
  const judged: string[] = [];
  const source = await followFile(items, {
    positions: keepInFile(`${out}.offset`),
    onNote: (text) => void notes.push(text),
  });
  const sink = await openFileSink(out);
  const stop = new AbortController();
  const running = runStream({
    stream: 'items',
    source,
    sink,
    concurrency: 4,
    signal: stop.signal,
    async judge({ content: { text } }, signal) {
      if (judgeMs > 0) await pause(judgeMs, undefined, { signal });
      judged.push(text);
      return { key: text, outcome: { label: 'safe' } };
    },
  });
  return {
    notes,
    judged,
    async stop() {
      stop.abort();
      const counts = await running;
      await source.close();
      await sink.close();
      return counts;
    },
  };
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');
const keys = () =>
  readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { key: string }).key);
const expected = (to: number) => Array.from({ length: to }, (_, at) => `line ${at}`);
const until = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 20 });

describe('a file that grows', () => {
  test('is read on as lines are appended, and half a line waits for its rest', async () => {
    writeFileSync(items, lines(0, 3));
    const following = await follow();
    await until(() => expect(keys()).toEqual(expected(3)));
    appendFileSync(items, 'line 3\nli');
    await until(() => expect(keys()).toEqual(expected(4)));
    await pause(400);
    expect(keys()).toEqual(expected(4));
    appendFileSync(items, 'ne 4\n\n');
    await until(() => expect(keys()).toEqual(expected(5)));
    expect(await following.stop()).toMatchObject({ judged: 5, failed: 0 });
    expect(readFileSync(out, 'utf8').split('\n')[1]).toBe(
      '{"stream":"items","partition":"0","offset":7,"key":"line 1","label":"safe"}',
    );
  });

  test('goes on where it was stopped, and judges no line twice', async () => {
    writeFileSync(items, lines(0, 200));
    const first = await follow(2);
    await until(() => expect(keys().length).toBeGreaterThan(20));
    await first.stop();
    appendFileSync(items, lines(200, 300));
    const second = await follow();
    await until(() => expect(keys()).toEqual(expected(300)));
    await second.stop();
    expect(first.judged.length + second.judged.length).toBeLessThanOrEqual(300 + 4);
  });

  test('whose reader is killed loses no line, and its output has none twice, nor half of one', async () => {
    writeFileSync(items, lines(0, 50));
    const first = await follow();
    await until(() => expect(keys()).toHaveLength(50));
    await first.stop();
    // As a kill would leave it: results behind the last commit, and half of one.
    const position = JSON.parse(readFileSync(`${out}.offset`, 'utf8')) as { offset: number };
    writeFileSync(`${out}.offset`, JSON.stringify({ ...position, offset: lines(0, 20).length }));
    appendFileSync(out, '{"stream":"items","part');
    const second = await follow();
    appendFileSync(items, lines(50, 60));
    await until(() => expect(keys()).toEqual(expected(60)));
    expect(await second.stop()).toMatchObject({ judged: 10, skipped: 30 });
    expect(second.judged).toHaveLength(10);
  });

  test('that is moved away is read to its end, and then the one that took its place', async () => {
    writeFileSync(items, lines(0, 5));
    const following = await follow();
    await until(() => expect(keys()).toHaveLength(5));
    appendFileSync(items, 'line 5\nline 6');
    renameSync(items, `${items}.1`);
    await pause(350);
    writeFileSync(items, lines(7, 9));
    await until(() => expect(keys()).toEqual(expected(9)));
    await following.stop();
    expect(JSON.parse(readFileSync(`${out}.offset`, 'utf8'))).toMatchObject({ generation: 1, offset: 14 });
    expect(following.notes).toEqual([
      `${items} is gone: waiting for a new one.`,
      `${items} is a new file: the one before it was read to its end, and this one is read from its start.`,
    ]);
  });

  test('that was moved away while nobody read is found, and its rest is read first', async () => {
    writeFileSync(items, lines(0, 5));
    const first = await follow();
    await until(() => expect(keys()).toHaveLength(5));
    await first.stop();
    appendFileSync(items, lines(5, 8));
    renameSync(items, `${items}.1`);
    writeFileSync(items, lines(8, 10));
    const second = await follow();
    await until(() => expect(keys()).toEqual(expected(10)));
    await second.stop();
    expect(second.notes[0]).toBe(`${items} was moved to ${items}.1 since: the rest of that one is read first.`);
  });

  test('that is cut off, or written anew in its place, is read from its start', async () => {
    writeFileSync(items, lines(0, 5));
    const following = await follow();
    await until(() => expect(keys()).toHaveLength(5));
    truncateSync(items, 0);
    await pause(350);
    appendFileSync(items, lines(5, 6));
    await until(() => expect(keys()).toEqual(expected(6)));
    // Longer than what was read of the one before: only its beginning tells.
    writeFileSync(items, lines(6, 30));
    await until(() => expect(keys()).toEqual(expected(30)));
    await following.stop();
    expect(following.notes).toEqual(Array(2).fill(`${items} was cut off: it is read from its start.`));
  });

  test('that is not there is refused, and so are an output that holds something else and a folder', async () => {
    await expect(follow()).rejects.toMatchObject({ code: 'unreadable-file', message: /there is no such file/ });
    writeFileSync(items, '');
    writeFileSync(out, 'shopping list\n');
    await expect(follow()).rejects.toMatchObject({ code: 'not-results' });
    expect(readFileSync(out, 'utf8')).toBe('shopping list\n');
    items = folder;
    await expect(follow()).rejects.toMatchObject({ code: 'unreadable-file' });
  });

  test('may hold bytes that are no text: a record with its error', async () => {
    writeFileSync(
      items,
      Buffer.concat([Buffer.from('line 0\n'), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('line 1\n')]),
    );
    const following = await follow();
    await until(() => expect(keys()).toEqual(['line 0', '0/7', 'line 1']));
    expect(await following.stop()).toMatchObject({ judged: 2, failed: 1 });
  });
});
