import { hashOf } from '../../hash.ts';
import type { Course, Request } from './attempts.ts';
import type { AnswerCache } from './cache.ts';
import type { Model } from './model.ts';

/** Everything that was sent for an answer, as one hash. */
export function cacheKey(model: Model, request: Request, attachments: readonly { hash: string }[] = []): string {
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
export function createMemory(cache: AnswerCache, key: string, course: Pick<Course, 'note'>) {
  const failed = (error: unknown) => {
    course.note(`the cache could not be used: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  };
  return {
    recall: () => cache.read(key).catch(failed),
    keep: (text: string) => cache.write(key, text).catch(failed),
  };
}
