import { z } from 'zod';
import { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { createLineSplitter, readLineContent, type StreamSource, type StreamRecord } from '@agonhq/core/streams';

/** What a record of a request says beside its place in the stream. */
export const items = new WeakMap<StreamRecord, unknown>();

interface BodySourceOptions {
  /** The offset of the first line that does not say its own. */
  from: number;
  /** Where the stream goes on behind what was answered. */
  onCommit(next: number): Promise<void>;
}

/**
 * The lines of a request's body, read as fast as they are asked for. A line that says an offset again, or an earlier
 * one, is answered like any other, and those behind it go on where they were.
 */
export function followBody(body: AsyncIterable<Uint8Array>, { from, onCommit }: BodySourceOptions): StreamSource {
  let next = from;

  function read(bytes: Uint8Array | null): StreamRecord | null {
    const content = readLineContent(bytes);
    if ('text' in content && content.text.trim() === '') return null;
    const parsed = 'error' in content ? content.error : parse(content.text);
    const { offset = next, key = null, ...item } = AgonError.is(parsed) ? {} : parsed;
    if (offset <= schemas.lastOffset) next = Math.max(next, offset + 1);
    const error = AgonError.is(parsed) ? parsed : offset < next ? null : noOffsetLeft();
    const record = {
      partition: '0',
      offset,
      next,
      key,
      content: error ? { error } : content,
      bytes: bytes?.length ?? 0,
    };
    items.set(record, item);
    return record;
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
    commit: async ([last]) => onCommit(last!.next),
    close: async () => undefined,
  };
}

function parse(text: string): z.output<typeof schemas.streamItem> | AgonError {
  const hint = 'Each line is one JSON object, for example {"offset":0,"key":"post-1","text":"…"}.';
  try {
    const read = schemas.streamItem.safeParse(JSON.parse(text));
    return read.success ? read.data : new AgonError('broken-line', z.prettifyError(read.error), hint);
  } catch (error) {
    return new AgonError('broken-line', `The line is not JSON: ${(error as Error).message}.`, hint, { cause: error });
  }
}

function noOffsetLeft(): AgonError {
  return new AgonError('bad-offset', 'There is no offset behind the last one.', 'Begin another stream.');
}
