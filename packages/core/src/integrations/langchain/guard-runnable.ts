import { AIMessageChunk } from '@langchain/core/messages';
import { RunnableLambda, type Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { AgonError } from '@agonhq/engine/agon-error';
import {
  createGuard,
  releaseParts,
  sayDone,
  summarizeVerdict,
  type Guard,
  type GuardedCall,
  type GuardOptions,
  type GuardVerdict,
  type PartReader,
} from '../../guard/index.ts';
import { readChainInput, type ChainInput } from './read-input.ts';
import { chooseTexts, readMessage } from './read-message.ts';

/** What a chain says: texts, or messages of a chat model. */
export type ChainOutput = string | AIMessageChunk;

/**
 * A chat model or chain behind the guard: what it is asked and what it says is judged, streamed or not. On a hit it
 * throws an `AgonError` with the code `guarded`, says the replacement, or marks the message (`response_metadata.agon`).
 *
 * @example const chain = prompt.pipe(guardRunnable(model, { onHit: 'replace' })).pipe(new StringOutputParser())
 */
export function guardRunnable(
  runnable: Runnable<never, ChainOutput>,
  given: Guard | GuardOptions = {},
): Runnable<ChainInput, ChainOutput> & { guard: Guard } {
  const guard = 'startCall' in given ? given : createGuard(given);
  const { choices } = guard;
  const stopAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';

  async function* run(input: ChainInput, config: RunnableConfig = {}): AsyncGenerator<ChainOutput> {
    const call = guard.startCall(readChainInput(input, choices));
    const stop = new AbortController();
    const ended = AbortSignal.any([stop.signal, ...(config.signal ? [config.signal] : [])]);
    const { signal } = config;
    let source: ReadableStreamDefaultReader<ChainOutput> | null = null;
    try {
      const started = performance.now();
      const prompt = call.judgePrompt(signal);
      const mayStart = prompt.then((verdict) => !(stopAtHit && verdict?.hit));
      mayStart.catch(() => undefined);
      if (choices.mode === 'hold') await prompt;
      const askedLaterMs = choices.mode === 'hold' ? performance.now() - started : 0;
      const isAsked = choices.mode !== 'hold' || (await mayStart);
      const watch = call.watch(signal);
      let last: ChainOutput = '';
      if (isAsked) {
        source = (await runnable.stream(input as never, { ...config, signal: ended })).getReader();
        const reader = createPartReader(choices, call);
        const onFirstText = (heldMs: number) => call.noteFirstText(askedLaterMs + heldMs);
        const released = releaseParts({ source, reader, watch, mode: choices.mode, stopAtHit, mayStart, onFirstText });
        for await (const part of released) yield (last = part);
      }
      const hit = call.findHit();
      call.end(sayDone(choices, hit));
      if (!hit) return;
      if (choices.onHit === 'stop') throw toError(hit);
      const isText = typeof last === 'string' && isAsked && last !== '';
      if (choices.onHit === 'replace') yield isText ? choices.replacement : new AIMessageChunk(choices.replacement);
      if (choices.onHit === 'mark' && !isText)
        yield new AIMessageChunk({ content: '', response_metadata: { agon: summarizeVerdict(hit) } });
    } finally {
      call.end('aborted');
      // Whoever leaves, and a hit, end the model's work.
      stop.abort();
      void source?.cancel().catch(() => undefined);
    }
  }

  return Object.assign(RunnableLambda.from<ChainInput, ChainOutput>(run as never), { guard });
}

function createPartReader(choices: Guard['choices'], { skip, refuse }: GuardedCall): PartReader<ChainOutput> {
  return {
    classify(part) {
      if (typeof part === 'string' && choices.answers === 'judge')
        return { kind: 'text', track: 'answers', text: part };
      const read = readMessage(typeof part === 'string' ? new AIMessageChunk(part) : part);
      const unread = [...read.unread, ...read.images.map(() => 'image')];
      const refused = choices.answers === 'judge' ? unread.map((what) => refuse('answer', what)) : [];
      if (refused.some(({ hit }) => hit)) return { kind: 'unread' };
      const texts = chooseTexts(read, choices, skip).map(({ kind, text }) => ({ track: kind, text }));
      if (read.texts.some(({ kind }) => kind === 'toolCalls')) return { kind: 'act', texts };
      const [only] = texts;
      if (only && texts.length === 1 && typeof part !== 'string' && part.content === only.text)
        return { kind: 'text', ...only };
      return texts.length > 0 ? { kind: 'texts', texts } : { kind: 'other' };
    },
    // Its usage and the like come once, with the rest.
    slice(part, text, isRest) {
      if (typeof part === 'string') return text;
      const { id, name, additional_kwargs, response_metadata, usage_metadata } = part;
      const named = { content: text, ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
      const rest = { additional_kwargs, response_metadata, ...(usage_metadata ? { usage_metadata } : {}) };
      return new AIMessageChunk(isRest ? { ...named, ...rest } : named);
    },
  };
}

function toError({ of, clauses, label }: GuardVerdict): AgonError {
  const found = label === 'unsafe' ? `unsafe${clauses.length > 0 ? ` by ${clauses.join(', ')}` : ''}` : 'not judged';
  return new AgonError(
    'guarded',
    `The ${of} was stopped: it is ${found}.`,
    'Catch it, or set onHit to "replace", "mark" or "report".',
  );
}
