import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { releaseParts, summarizeVerdict, type GuardedCall, type PartReader } from '../../guard/index.ts';
import { selectTexts, type HttpGuard } from './http-options.ts';

/** What leaves of a streamed body, chunk by chunk: plain text, or the events of a server. */
export async function* guardBody(
  body: ReadableStream<Uint8Array>,
  isEvents: boolean,
  { guard, responseFields }: HttpGuard,
  call: GuardedCall,
  signal?: AbortSignal,
): AsyncGenerator<string, void, void> {
  const { choices } = guard;
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  const common = {
    watch: call.watch(signal),
    mode: choices.mode,
    stopAtHit,
    mayStart: Promise.resolve(true),
    onFirstText: call.noteFirstText,
  };
  const texts = body.pipeThrough(new TextDecoderStream());
  const release = async function* (): AsyncGenerator<string, void, void> {
    if (!isEvents) {
      const source = texts.getReader();
      yield* releaseParts({ ...common, source, reader: textReader });
      if (call.findHit() && stopAtHit) await source.cancel();
      return;
    }
    const source = texts.pipeThrough(new EventSourceParserStream()).getReader();
    const reader = eventReader((data) => selectTexts(data, responseFields));
    for await (const event of releaseParts({ ...common, source, reader })) yield renderEvent(event);
    if (call.findHit() && stopAtHit) await source.cancel();
  };
  yield* release();
  const hit = call.findHit();
  const done = { stop: 'stopped', replace: 'replaced', mark: 'marked', report: 'reported' } as const;
  call.end(hit ? done[choices.onHit] : 'passed');
  if (!hit || choices.onHit === 'report') return;
  if (isEvents) yield renderEvent({ event: 'agon', data: JSON.stringify(summarizeVerdict(hit)) });
  else if (choices.onHit === 'replace') yield choices.replacement;
}

const textReader: PartReader<string> = {
  classify: (text) => ({ kind: 'text', track: '', text }),
  slice: (_part, text) => text,
};

/** Events leave whole; those without a text that is judged wait for what came before them. */
function eventReader(select: (data: unknown) => string[]): PartReader<EventSourceMessage> {
  return {
    classify({ data }) {
      const text = select(parseData(data)).join('');
      return text === '' ? { kind: 'act' } : { kind: 'text', track: '', text };
    },
  };
}

/** `[DONE]` and other words of the protocol are no JSON, and are judged as the texts they are. */
function parseData(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data === '[DONE]' ? '' : data;
  }
}

function renderEvent({ event, id, data }: { event?: string | undefined; id?: string | undefined; data: string }) {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
