import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hashOf } from '../../hash.ts';

/** Answers by the hash of everything that was sent for them. */
export interface AnswerCache {
  /** The answer's text, or null: a missing, foreign or broken file is a miss. */
  read(key: string): Promise<string | null>;
  write(key: string, text: string): Promise<void>;
}

const entrySchema = z.object({ version: z.literal(1), key: z.string(), text: z.string() });

export function createCache(directory: string): AnswerCache {
  const fileOf = (key: string) => {
    const name = hashOf(key).slice('sha256:'.length);
    return join(directory, name.slice(0, 2), `${name}.json`);
  };
  return {
    async read(key) {
      let content: string;
      try {
        content = await readFile(fileOf(key), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
      try {
        const entry = entrySchema.parse(JSON.parse(content));
        return entry.key === key ? entry.text : null;
      } catch {
        return null;
      }
    },
    async write(key, text) {
      const file = fileOf(key);
      await mkdir(dirname(file), { recursive: true });
      // Written beside its place and then renamed: a reader in any process sees the whole entry or none.
      const temporary = `${file}.${randomUUID()}.tmp`;
      try {
        await writeFile(temporary, JSON.stringify({ version: 1, key, text }));
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
  };
}
