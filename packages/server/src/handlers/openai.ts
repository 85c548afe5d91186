import type { Agon } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { moderationJob, type Content } from '@agonhq/judges/moderation';
import type { JudgingMethod } from '../agon-pool.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { makeTrial, startTrial } from '../trials/run-trial.ts';
import type { ServerContext } from '../server-context.ts';
import { readOpenAiInput, isEmpty, showModel, findModerationModel, moderationModels } from '../openai/read-input.ts';
import {
  emptyResult,
  toModerationResult,
  unjudgeableResult,
  type ModerationResult,
} from '../openai/moderation-result.ts';
import { scoreAnswer } from '../openai/category-scores.ts';
import type { ConcurrencyLimit } from '@agonhq/engine/concurrency-limit';

/** OpenAI's moderation API. */
export const openAiHandlers: Handlers<GroupOf<'openai'>> = {
  async 'openai.moderate'({ body: { input, model: named }, signal }, context) {
    const model = findModerationModel(named);
    const contents = await readOpenAiInput(input, context.outbound, signal);
    // Several are texts, and are judged alike.
    const method = model.methodFor(contents[0]!);
    const agon = await context.agons.agonFor('moderation', method);
    const judge = (content: Content, stop: AbortSignal) =>
      judgeContent(content, { agon, method, context, signal: stop });
    const results = await judgeEach(contents, contents.length > 1 ? keepGoing(judge) : judge, {
      places: context.trials.limit,
      concurrency: context.limits.concurrency,
      signal,
    });
    const { name, version, hash } = agon.policy;
    const cases = results.map(({ agon: told }, index) => told.case ?? index);
    const id = `modr-${hashOf([model.id, hash, cases]).slice(7, 31)}`;
    return { id, model: named ?? model.id, results, agon: { model: model.id, policy: { name, version, hash } } };
  },

  'openai.models': () => ({ object: 'list', data: moderationModels.map(showModel) }),

  'openai.model': ({ params: { id } }) => showModel(findModerationModel(id)),
};

interface Judging {
  agon: Agon;
  method: JudgingMethod | undefined;
  context: ServerContext;
  signal: AbortSignal;
}

async function judgeContent(content: Content, { agon, method, context, signal }: Judging): Promise<ModerationResult> {
  if (isEmpty(content)) return emptyResult();
  // At once: whether there is a place for the next is asked when this one has taken its own.
  const trial = makeTrial(agon, moderationJob, { method, input: content });
  const answer = await (await startTrial(context, trial, signal, false)).waitForResult(signal);
  return toModerationResult(answer, await scoreAnswer(answer, agon.policy, context.agons.seeds, signal));
}

/** What is wrong with a text itself, whoever judges it. */
const codesOfOneText = new Set(['text-too-long', 'ill-formed-text', 'binary-text']);

function keepGoing(judge: (content: Content, stop: AbortSignal) => Promise<ModerationResult>): typeof judge {
  return async (content, stop) => {
    try {
      return await judge(content, stop);
    } catch (error) {
      if (AgonError.is(error) && codesOfOneText.has(error.code)) return unjudgeableResult(error);
      throw error;
    }
  };
}

interface EachOptions {
  places: Pick<ConcurrencyLimit, 'held' | 'waiting'>;
  concurrency: number;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

/**
 * Judges one after the other, and so many at once as there are places free: a long list waits in the queue as one, and
 * never turns itself away. What fails for one fails for all, and stops the others.
 */
export function judgeEach<Item, Result>(
  items: readonly Item[],
  judge: (item: Item, signal: AbortSignal) => Promise<Result>,
  { places, concurrency, signal }: EachOptions,
): Promise<Result[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const results: Result[] = Array.from({ length: items.length });
  let next = 0;
  let ended = 0;

  return new Promise((resolve, reject) => {
    function begin(): void {
      if (next >= items.length || either.aborted) return;
      const index = next;
      next += 1;
      judge(items[index]!, either).then(
        (result) => {
          results[index] = result;
          ended += 1;
          if (ended === items.length) resolve(results);
          else begin();
        },
        (error: Error) => {
          stop.abort(error);
          reject(error);
        },
      );
      if (places.held < concurrency && places.waiting === 0) begin();
    }
    begin();
    if (signal.aborted) reject(signal.reason as Error);
  });
}
