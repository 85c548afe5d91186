import {
  releaseParts,
  sayDone,
  type Guard,
  type GuardedCall,
  type PartKind,
  type PartReader,
} from '../../guard/index.ts';
import { closingParts, describeReport } from './say-outcome.ts';
import type { StreamPart, SdkStreamResult } from './sdk-types.ts';

interface GuardStreamOptions {
  guard: Guard;
  call: GuardedCall;
  /** The prompt may be answered; until then nothing leaves. */
  mayStart: Promise<boolean>;
  /** How long the model was not asked because of the prompt's verdict. */
  askedLaterMs: number;
  /** Ends the provider's work. */
  stop: AbortController;
  signal: AbortSignal | undefined;
}

/** A model's stream with what the guard lets through of it. */
export function guardStream(stream: SdkStreamResult['stream'], options: GuardStreamOptions): SdkStreamResult['stream'] {
  const source = stream.getReader();
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, ...(options.signal ? [options.signal] : [])]);
  const parts = guardParts(source, { ...options, signal });
  // The SDK does not read a stream that it aborted to its end.
  signal.addEventListener('abort', () => {
    options.call.end('aborted');
    void source.cancel(signal.reason).catch(() => undefined);
  });
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        options.call.end('aborted');
        controller.error(error);
      }
    },
    async cancel(reason) {
      cancelled.abort(reason);
      options.stop.abort(reason);
    },
  });
}

async function* guardParts(
  source: ReadableStreamDefaultReader<StreamPart>,
  { guard, call, mayStart, askedLaterMs, stop, signal }: GuardStreamOptions,
): AsyncGenerator<StreamPart, void, void> {
  const { choices } = guard;
  const watch = call.watch(signal);
  const open = new Map<string, StreamPart>();
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  const released = releaseParts({
    source,
    reader: createPartReader(choices, call),
    watch,
    mode: choices.mode,
    stopAtHit,
    mayStart,
    onFirstText: (heldMs) => call.noteFirstText(askedLaterMs + heldMs),
  });
  for await (const part of released) {
    noteOpen(part, open);
    const isMarked = choices.onHit === 'mark' && watch.hit !== null && part.type === 'text-end';
    if (part.type !== 'finish' && !isMarked) yield part;
    else {
      const report = part.type === 'finish' ? call.end(sayDone(choices, call.findHit())) : call.describe();
      const tells = choices.onHit !== 'report';
      yield tells ? { ...part, providerMetadata: describeReport(report, part.providerMetadata) } : part;
    }
  }
  const hit = call.findHit();
  if (hit && stopAtHit) {
    yield* closingParts(choices, call.end(sayDone(choices, hit)), open.values());
    await source.cancel('guarded').catch(() => undefined);
    stop.abort();
  } else call.end(sayDone(choices, hit));
}

/** Keeps what would end everything that has begun. */
function noteOpen(part: StreamPart, open: Map<string, StreamPart>): void {
  if (!('id' in part) || typeof part.id !== 'string') return;
  const key = `${part.type.replace(/-(start|delta|end)$/, '')}:${part.id}`;
  if (part.type === 'text-start') open.set(key, { type: 'text-end', id: part.id });
  if (part.type === 'reasoning-start') open.set(key, { type: 'reasoning-end', id: part.id });
  if (part.type === 'tool-input-start') open.set(key, { type: 'tool-input-end', id: part.id });
  if (part.type.endsWith('-end')) open.delete(key);
}

function createPartReader(choices: Guard['choices'], { skip, refuse }: GuardedCall): PartReader<StreamPart> {
  const judged = new Set<StreamPart['type']>([
    ...(choices.answers === 'judge' ? (['text-delta', 'text-end'] as const) : []),
    ...(choices.reasoning === 'judge' ? (['reasoning-delta', 'reasoning-end'] as const) : []),
    ...(choices.toolCalls === 'judge' ? (['tool-input-delta', 'tool-input-end', 'tool-call'] as const) : []),
  ]);
  const unjudged = (what: string): PartKind => {
    skip(what);
    return { kind: 'other' };
  };
  return {
    classify(part): PartKind {
      const isJudged = judged.has(part.type);
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
        case 'tool-input-delta':
          if (!isJudged) return unjudged(part.type.replace('-delta', ''));
          return { kind: 'text', track: `${part.type} ${part.id}`, text: part.delta };
        case 'text-end':
        case 'reasoning-end':
        case 'tool-input-end':
          return isJudged
            ? { kind: 'end', track: `${part.type.replace('end', 'delta')} ${part.id}` }
            : { kind: 'other' };
        case 'tool-call':
          if (isJudged) return { kind: 'act', texts: [{ track: `call ${part.toolCallId}`, text: part.input }] };
          skip('tool-call');
          return { kind: 'act' };
        case 'tool-approval-request':
        case 'finish':
        case 'error':
          return { kind: 'act' };
        case 'raw':
          return choices.mode === 'hold' ? { kind: 'drop' } : unjudged('raw');
        case 'tool-result':
          if (choices.toolResults === 'skip') return unjudged('tool-result');
          return { kind: 'act', texts: [{ track: `result ${part.toolCallId}`, text: JSON.stringify(part.result) }] };
        case 'file':
        case 'reasoning-file':
          if (choices[part.type === 'file' ? 'answers' : 'reasoning'] === 'skip') return unjudged('generated-file');
          return refuse('answer', part.mediaType).hit ? { kind: 'unread' } : { kind: 'act' };
        case 'source':
        case 'custom':
          return unjudged(part.type);
        case 'stream-start':
        case 'response-metadata':
        case 'text-start':
        case 'reasoning-start':
        case 'tool-input-start':
        case 'ping':
          return { kind: 'other' };
      }
    },
    slice: (part, text) => ('delta' in part ? { ...part, delta: text } : part),
  };
}
