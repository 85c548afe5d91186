import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { createLineSplitter, readContent, type Source, type StreamRecord } from '../../streams/index.ts';

const place = z.looseObject({ offset: z.int().min(0).optional(), key: z.string().max(256).optional() });

/** What a record of a request says beside its place in the stream. */
export const items = new WeakMap<StreamRecord, unknown>();

interface BodySourceOptions {
  /** The offset of the first line that does not say its own. */
  from: number;
  onCommit(offset: number): Promise<void>;
}

/** The lines of a request's body, read as fast as they are asked for. */
export function followBody(body: AsyncIterable<Uint8Array>, { from, onCommit }: BodySourceOptions): Source {
  let next = from;

  function read(bytes: Uint8Array | null): StreamRecord | null {
    const content = readContent(bytes);
    if ('text' in content && content.text.trim() === '') return null;
    const length = bytes?.length ?? 0;
    const record = (offset: number, key: string | null, what: StreamRecord['content']): StreamRecord => {
      next = Math.max(next, offset + 1);
      return { partition: '0', offset, next: offset + 1, key, content: what, bytes: length };
    };
    if ('error' in content) return record(next, null, content);
    const parsed = parse(content.text);
    if (AgonError.is(parsed)) return record(next, null, { error: parsed });
    const { offset = next, key = null, ...item } = parsed;
    if (offset < next) {
      const error = new AgonError(
        'bad-offset',
        `The offset ${offset} is not above the one before it.`,
        'Offsets rise; a stream goes on behind the last one that was answered.',
      );
      return { ...record(next, key, { error }), offset, next };
    }
    const made = record(offset, key, content);
    items.set(made, item);
    return made;
  }

  return {
    name: 'the request',
    async *records() {
      const lines = createLineSplitter();
      for await (const chunk of body)
        for (const { bytes } of lines.push(chunk)) {
          const record = read(bytes);
          if (record) yield record;
        }
      for (const { bytes } of lines.end()) {
        const record = read(bytes);
        if (record) yield record;
      }
    },
    commit: async ([last]) => onCommit(last!.next - 1),
    close: async () => undefined,
  };
}

function parse(text: string): z.infer<typeof place> | AgonError {
  const hint = 'Each line is one JSON object, for example {"offset":0,"key":"post-1","text":"…"}.';
  try {
    const read = place.safeParse(JSON.parse(text));
    return read.success ? read.data : new AgonError('broken-line', z.prettifyError(read.error), hint);
  } catch (error) {
    return new AgonError('broken-line', `The line is not JSON: ${(error as Error).message}.`, hint, { cause: error });
  }
}
