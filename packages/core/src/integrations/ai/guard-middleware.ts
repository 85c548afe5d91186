import type { LanguageModelMiddleware } from 'ai';
import {
  createGuard,
  sayDone,
  type Guard,
  type GuardedCall,
  type GuardOptions,
  type GuardVerdict,
} from '../../guard/index.ts';
import { guardStream } from './guard-stream.ts';
import { readPrompt } from './read-prompt.ts';
import { blockedResult, closingParts, describeReport } from './say-outcome.ts';
import type { CallParams, GenerateResult, StreamPart, SdkStreamResult } from './sdk-types.ts';

/** A middleware, with the guard that it asks. */
export type GuardMiddleware = LanguageModelMiddleware & { guard: Guard };

/**
 * Judges what a model is asked and what it answers, whole or streamed. Takes the options of a guard, or a guard that
 * several share.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware({ mode: 'pass-and-stop' }) });
 */
export function guardMiddleware(given: Guard | GuardOptions = {}): GuardMiddleware {
  const guard = 'startCall' in given ? given : createGuard(given);
  const { choices } = guard;
  const stopsAtHit = choices.onHit === 'stop' || choices.onHit === 'replace';
  const stops = new WeakMap<CallParams, AbortController>();

  const isStopped = (verdict: GuardVerdict | null) => stopsAtHit && verdict?.hit === true;

  /** The prompt's verdict and the model's answer, in turn or at once; null where the prompt was stopped. */
  async function ask<Result>(call: GuardedCall, params: CallParams, doAsk: () => PromiseLike<Result>) {
    const { abortSignal } = params;
    const started = performance.now();
    const verdict = call.judgePrompt(abortSignal);
    if (choices.mode === 'hold') {
      const mayStart = !isStopped(await verdict);
      const askedLaterMs = performance.now() - started;
      return { mayStart, askedLaterMs, result: mayStart ? await doAsk() : null };
    }
    const answered = Promise.resolve(doAsk());
    const stopped = verdict.then((judged) => (isStopped(judged) ? null : answered));
    // Whichever is heard first; of the other one nothing is to be heard any more.
    answered.catch(() => undefined);
    const result = await Promise.race([answered, stopped]);
    const mayStart = verdict.then((judged) => !isStopped(judged));
    mayStart.catch(() => undefined);
    return { mayStart, askedLaterMs: 0, result };
  }

  return {
    guard,
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const stop = new AbortController();
      const abortSignal = params.abortSignal ? AbortSignal.any([params.abortSignal, stop.signal]) : stop.signal;
      const guarded = { ...params, abortSignal };
      stops.set(guarded, stop);
      return guarded;
    },
    async wrapGenerate({ doGenerate, params }) {
      const call = guard.startCall(readPrompt(params.prompt, choices));
      try {
        const { mayStart, result } = await ask(call, params, doGenerate);
        if (!(await mayStart) || !result) {
          const blocked = blockedResult(choices, call.end(sayDone(choices, true)));
          stops.get(params)?.abort();
          return blocked;
        }
        await call.judgeAnswer(readAnswer(result, choices, call), params.abortSignal);
        const hit = call.findHit();
        const report = call.end(sayDone(choices, hit));
        if (hit && stopsAtHit) return blockedResult(choices, report, result);
        if (choices.onHit === 'report') return result;
        return { ...result, providerMetadata: describeReport(report, result.providerMetadata) };
      } finally {
        call.end('aborted');
      }
    },
    async wrapStream({ doStream, params }) {
      const call = guard.startCall(readPrompt(params.prompt, choices));
      const stop = stops.get(params) ?? new AbortController();
      const asked = await ask(call, params, doStream).catch((error: unknown) => {
        call.end('aborted');
        throw error;
      });
      if (!asked.result) {
        const closing = closingParts(choices, call.end(sayDone(choices, true)), []);
        stop.abort();
        return { stream: streamOf([{ type: 'stream-start', warnings: [] }, ...closing]) };
      }
      const mayStart = Promise.resolve(asked.mayStart);
      const options = { guard, call, mayStart, askedLaterMs: asked.askedLaterMs, stop, signal: params.abortSignal };
      return { ...asked.result, stream: guardStream(asked.result.stream, options) };
    },
  };
}

/** The texts of it that are judged; what nobody reads is refused, and what nobody judges named. */
function readAnswer({ content }: GenerateResult, choices: Guard['choices'], call: GuardedCall): string[] {
  const choose = (choice: 'judge' | 'skip', name: string, text: string) => {
    if (choice === 'skip') call.skip(name);
    return choice === 'skip' ? [] : [text];
  };
  return content.flatMap((part) => {
    if (part.type === 'text') return choose(choices.answers, 'text', part.text);
    if (part.type === 'reasoning') return choose(choices.reasoning, 'reasoning', part.text);
    if (part.type === 'tool-call') return choose(choices.toolCalls, 'tool-call', part.input);
    if (part.type === 'tool-result') return choose(choices.toolResults, 'tool-result', JSON.stringify(part.result));
    const isFile = part.type === 'file' || part.type === 'reasoning-file';
    if (isFile && choices[part.type === 'file' ? 'answers' : 'reasoning'] === 'judge')
      call.refuse('answer', part.mediaType);
    else call.skip(isFile ? 'generated-file' : part.type);
    return [];
  });
}

function streamOf(parts: readonly StreamPart[]): SdkStreamResult['stream'] {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
