import { AIMessageChunk } from '@langchain/core/messages';
import { RunnableLambda, type Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { AgonError } from '../../errors.ts';
import {
  createGuard,
  releaseParts,
  sayDone,
  summarizeVerdict,
  type Guard,
  type GuardOptions,
  type GuardVerdict,
  type PartReader,
} from '../../guard/index.ts';
import { readInput, type ChainInput } from './read-input.ts';

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
    const call = guard.startCall(readInput(input, choices.prompts));
    const { signal } = config;
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
        const source = (await runnable.stream(input as never, config)).getReader();
        const onFirstText = (heldMs: number) => call.noteFirstText(askedLaterMs + heldMs);
        const released = releaseParts({ source, reader, watch, mode: choices.mode, stopAtHit, mayStart, onFirstText });
        for await (const part of released) yield (last = part);
        if (call.findHit() && stopAtHit) await source.cancel();
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
    }
  }

  return Object.assign(RunnableLambda.from<ChainInput, ChainOutput>(run as never), { guard });
}

const reader: PartReader<ChainOutput> = {
  classify(part) {
    if (typeof part === 'string') return { kind: 'text', track: '', text: part };
    if ((part.tool_call_chunks?.length ?? 0) > 0) return { kind: 'act', track: '', text: part.text };
    return part.text === '' ? { kind: 'act' } : { kind: 'text', track: '', text: part.text };
  },
  slice: (part, text) =>
    typeof part === 'string'
      ? text
      : new AIMessageChunk({ content: text, ...(part.id === undefined ? {} : { id: part.id }) }),
};

function toError({ of, clauses, label }: GuardVerdict): AgonError {
  const found = label === 'unsafe' ? `unsafe${clauses.length > 0 ? ` by ${clauses.join(', ')}` : ''}` : 'not judged';
  return new AgonError(
    'guarded',
    `The ${of} was stopped: it is ${found}.`,
    'Catch it, or set onHit to "replace", "mark" or "report".',
  );
}
