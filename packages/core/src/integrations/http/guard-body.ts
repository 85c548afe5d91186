import { isUtf8 } from 'node:buffer';
import { releaseParts, sayDone, summarizeVerdict, type GuardedCall, type PartReader } from '../../guard/index.ts';
import { cutCharacters, cutEvents, readEvent } from './cut-body.ts';
import { listTexts, type HttpGuard } from './http-options.ts';

/** A streamed body with what the guard lets through of it, byte for byte: plain text, or the events of a server. */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  isEvents: boolean,
  http: HttpGuard,
  call: GuardedCall,
  given?: AbortSignal,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, ...(given ? [given] : [])]);
  const source = body.pipeThrough(isEvents ? cutEvents() : cutCharacters()).getReader();
  const parts = releaseBody(source, isEvents, http, call, signal);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        call.end('aborted');
        controller.error(error);
      }
    },
    async cancel(reason) {
      left.abort(reason);
      call.end('aborted');
      await source.cancel(reason);
    },
  });
}

async function* releaseBody(
  source: ReadableStreamDefaultReader<Uint8Array>,
  isEvents: boolean,
  { guard: { choices }, responseFields }: HttpGuard,
  call: GuardedCall,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  yield* releaseParts({
    source,
    reader: isEvents ? eventReader((data) => listTexts(data, responseFields)) : textReader,
    watch: call.watch(signal),
    mode: choices.mode,
    stopAtHit,
    mayStart: Promise.resolve(true),
    onFirstText: call.noteFirstText,
  });
  const hit = call.findHit();
  if (hit && stopAtHit) void source.cancel('guarded').catch(() => undefined);
  call.end(sayDone(choices, hit));
  if (!hit || choices.onHit === 'report') return;
  if (isEvents) yield encode(`event: agon\ndata: ${JSON.stringify(summarizeVerdict(hit))}\n\n`);
  else if (choices.onHit === 'replace') yield encode(choices.replacement);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decode = (bytes: Uint8Array) => decoder.decode(bytes);
const encode = (text: string) => new TextEncoder().encode(text);

const textReader: PartReader<Uint8Array> = {
  classify: (bytes) => ({ kind: 'text', track: '', text: decode(bytes) }),
  // What is no UTF-8 would not come out as it went in.
  slice: (bytes, text) => (isUtf8(bytes) ? encode(text) : undefined),
};

/** Events leave whole; each of their texts goes on with what stood in the same place of the events before. */
function eventReader(list: (data: unknown) => { place: string; text: string }[]): PartReader<Uint8Array> {
  return {
    classify(block) {
      const { data, type, comments } = readEvent(decode(block));
      const texts = comments.map((text) => ({ track: 'comment', text }));
      if (data === null) return texts.length > 0 ? { kind: 'texts', texts } : { kind: 'other' };
      const value = parseData(data);
      const kind = `${type} ${nameType(value)}`;
      return {
        kind: 'texts',
        texts: [...texts, ...list(value).map(({ place, text }) => ({ track: `${kind} ${place}`, text }))],
      };
    },
    slice: () => undefined,
  };
}

/** `[DONE]` is a word of the protocol; what else is no JSON is judged as the text it is. */
function parseData(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data === '[DONE]' ? '' : data;
  }
}

function nameType(value: unknown): string {
  const { type } = (value ?? {}) as { type?: unknown };
  return typeof type === 'string' ? type : '';
}
