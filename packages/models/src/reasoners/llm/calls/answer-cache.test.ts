import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, inTurn, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { createFolderCache } from './answer-cache.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agon-cache-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function files(): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('the cache', () => {
  it('gives the same answer to the same question for nothing, and says so', async () => {
    await using stage = await setStage(() => json(good), { cache: { directory } });
    await stage.ask();
    let streamed = '';
    const again = await stage.ask({ onDelta: (piece) => (streamed += piece) });
    expect(again).toMatchObject({ outcome: 'answered', value: good, usage: { calls: 0, inputTokens: 0, costUsd: 0 } });
    expect(again.notes).toEqual(["openai:gpt-4o-mini's answer came from the cache"]);
    expect(streamed).toBe(good.statement);
    expect(stage.provider.requests).toHaveLength(1);
  });

  it('knows a question by everything that is sent', async () => {
    await using stage = await setStage(() => json(good), { cache: { directory } });
    const image = { id: 'a', mediaType: 'image/png', hash: 'sha256:1', data: new Uint8Array([137, 80, 78, 71]) };
    const roles = [
      debater(),
      debater({ words: { task: 'TASK: something else.' } }),
      debater({ words: { instructions: 'You judge.' } }),
      debater({ temperature: 1 }),
      debater({ maxOutputTokens: 201 }),
      debater({ words: { attachments: [image] } }),
      debater({ words: { attachments: [{ ...image, hash: 'sha256:2' }] } }),
    ];
    for (const role of [...roles, ...roles]) await stage.ask({ role });
    expect(stage.provider.requests).toHaveLength(roles.length);
  });

  it('keeps a repaired answer, and none that stayed off', async () => {
    await using stage = await setStage(inTurn(json({ score: 9 }), json({ score: 9 }), json({ score: 9 }), json(good)), {
      cache: { directory },
    });
    expect(await stage.ask()).toMatchObject({ reason: 'malformed' });
    expect(await stage.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 2 } });
    expect(await stage.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 0 } });
  });

  it('holds no key', async () => {
    await using stage = await setStage(() => json(good), { cache: { directory } });
    await stage.ask();
    const [file] = await files();
    expect(await readFile(file!, 'utf8')).not.toContain('sk-test');
  });

  it.each(['', '{"version":1,"key":"', '{"version":2}', '\u0000\u0001', '[]'])(
    'takes a broken file (%j) for a miss and mends it',
    async (content) => {
      await using stage = await setStage(() => json(good), { cache: { directory } });
      await stage.ask();
      const [file] = await files();
      await writeFile(file!, content);
      expect(await stage.ask()).toMatchObject({ outcome: 'answered', value: good, usage: { calls: 1 } });
      expect(await stage.ask()).toMatchObject({ usage: { calls: 0 } });
    },
  );

  it('takes an entry for a miss that no longer fits the schema', async () => {
    await using stage = await setStage(() => json(good), { cache: { directory } });
    await stage.ask();
    const [file] = await files();
    const entry = JSON.parse(await readFile(file!, 'utf8'));
    await writeFile(file!, JSON.stringify({ ...entry, text: '{"statement":"no score"}' }));
    expect(await stage.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 1 } });
  });

  it('costs an answer nothing when its disk fails, and says so', async () => {
    const notADirectory = join(directory, 'file');
    await writeFile(notADirectory, '');
    await using stage = await setStage(() => json(good), { cache: { directory: notADirectory } });
    const answer = await stage.ask();
    expect(answer).toMatchObject({ outcome: 'answered', value: good });
    expect(answer.notes?.[0]).toMatch(/the cache could not be used/);
  });

  it('shows readers whole entries only, however many write at once', async () => {
    const caches = Array.from({ length: 4 }, () => createFolderCache(directory));
    const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(20_000));
    const seen = await Promise.all(
      texts.map(async (text, i) => {
        await caches[i % 4]!.write('key', text);
        return caches[(i + 1) % 4]!.read('key');
      }),
    );
    expect(seen.every((text) => text !== null && texts.includes(text))).toBe(true);
    expect(await files()).toHaveLength(1);
  });
});
