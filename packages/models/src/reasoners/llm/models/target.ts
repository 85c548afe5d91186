import type { FailureReason } from '@agonhq/engine/debate';
import { canonicalJson } from '@agonhq/engine/hash';
import { makeCacheKey, openCacheEntry } from '../calls/answer-cache.ts';
import { askModel, openCallContext, type CallResources, type ModelRequest, type Spent } from '../calls/ask-model.ts';
import { fromMessages, type PlainMessage } from '../calls/lay-out-prompt.ts';
import type { Model } from '../providers/model.ts';

export type TargetMessage = PlainMessage;

export interface TargetOptions {
  maxOutputTokens?: number;
  temperature?: number;
}

/** `truncated`: the answer ran into its limit of tokens. */
export type TargetAnswered = Spent & { outcome: 'answered'; text: string; truncated: boolean };
/** The model refused in the provider's own form, or a filter stepped in; `text` is what there is of an answer. */
export type TargetBlocked = Spent & { outcome: 'blocked'; by: 'refusal' | 'filter'; text: string; detail: string };
/** `unreachable`: nobody listens at the provider's address. */
export type TargetFailed = Spent & { outcome: 'failed'; reason: FailureReason; detail: string; unreachable: boolean };

export type TargetReply = TargetAnswered | TargetBlocked | TargetFailed;

/** A model under test: it is talked to in plain text and nobody stands in for it. */
export interface Target {
  /** `openai:gpt-4o-mini`. */
  id: string;
  /** Everything besides the messages that may change the answer. */
  fingerprint: string;
  /** A mistake of the user's (a wrong key, an unknown model) is thrown as an AgonError. */
  ask(messages: readonly TargetMessage[], options: { signal: AbortSignal }): Promise<TargetReply>;
}

const usualOutputTokens = 1_024;

export function createTarget(model: Model, resources: () => CallResources, options: TargetOptions = {}): Target {
  const { maxOutputTokens = usualOutputTokens, temperature } = options;
  return {
    id: model.name,
    fingerprint: canonicalJson({ ...model.identity, maxOutputTokens, temperature: temperature ?? null }),
    async ask(messages, { signal }) {
      const { cache, ...accounts } = resources();
      const { context, spent } = openCallContext(accounts, signal);
      const request: ModelRequest = {
        conversation: () => fromMessages(messages),
        schema: null,
        schemaName: '',
        roleId: 'target',
        maxOutputTokens,
        temperature,
      };
      const memory = cache && openCacheEntry(cache, makeCacheKey(model, request), context);
      const recalled = await memory?.recall();
      const attempted =
        typeof recalled === 'string'
          ? { reply: { text: recalled, finish: 'stop' } }
          : await askModel(model, request, context);
      const truncated = 'reply' in attempted && attempted.reply.finish === 'length';
      if ('reply' in attempted && attempted.reply.text !== recalled && !truncated)
        await memory?.keep(attempted.reply.text);
      if ('reply' in attempted) {
        const { text } = attempted.reply;
        return { outcome: 'answered', text, truncated, ...spent() };
      }
      const { failed, detail, said = '', unreachable = false } = attempted;
      if (failed === 'refused' || failed === 'content-filter') {
        return {
          outcome: 'blocked',
          by: failed === 'refused' ? 'refusal' : 'filter',
          text: model.redact(said),
          detail,
          ...spent(),
        };
      }
      return { outcome: 'failed', reason: failed, detail, unreachable, ...spent() };
    },
  };
}
