import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hashOf } from '@agonhq/engine/hash';
import type { Model } from '../providers/model.ts';
import type { CallContext, ModelRequest } from './ask-model.ts';

/** Answers by the hash of everything that was sent for them. */
export interface ModelAnswerCache {
  /** The answer's text, or null: a missing, foreign or broken file is a miss. */
  read(key: string): Promise<string | null>;
  write(key: string, text: string): Promise<void>;
}

const entrySchema = z.object({ version: z.literal(1), key: z.string(), text: z.string() });

export function createFolderCache(directory: string): ModelAnswerCache {
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

/** Everything that was sent for an answer, as one hash. */
export function makeCacheKey(
  model: Model,
  request: ModelRequest,
  attachments: readonly { hash: string }[] = [],
): string {
  // Images stand in the key by their hashes, not as bytes.
  const { instructions, messages } = request.conversation(model.structured);
  const words = messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : null)),
  }));
  return hashOf({
    ...model.identity,
    structured: model.structured,
    instructions,
    messages: words,
    images: model.vision ? attachments.map(({ hash }) => hash) : [],
    schema: request.schema?.json ?? null,
    schemaName: request.schemaName,
    maxOutputTokens: request.maxOutputTokens,
    temperature: model.temperatureFor(request.temperature) ?? null,
  });
}

/** The cache for one question. A disk that fails costs the memory of an answer, never the answer. */
export function openCacheEntry(cache: ModelAnswerCache, key: string, context: Pick<CallContext, 'note'>) {
  const failed = (error: unknown) => {
    context.note(`the cache could not be used: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  };
  return {
    recall: () => cache.read(key).catch(failed),
    keep: (text: string) => cache.write(key, text).catch(failed),
  };
}
