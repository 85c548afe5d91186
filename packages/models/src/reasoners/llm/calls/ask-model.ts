import {
  addUsage,
  noUsage,
  type Disclosure,
  type FailureReason,
  type ModelCall,
  type Usage,
} from '@agonhq/engine/debate';
import type { Model } from '../providers/model.ts';
import { computeCost, type TokenCount } from '../providers/prices.ts';
import type { ModelAnswerCache } from './answer-cache.ts';
import { reserveCost, type Account, type Cost, type SharedAccount } from './budget.ts';
import { callModel, prepareCall, type ModelReply } from './call-model.ts';
import { classifyError, classifyFinish, computeBackoff, pause, type Failure } from './classify-failure.ts';
import { boundInputTokens, estimateInputTokens, type Conversation } from './lay-out-prompt.ts';
import type { Personal } from './mask-request.ts';
import { hearRequest, showMessages, showRequest } from './sent-request.ts';
import type { SentSchema } from './sent-schema.ts';

/** What is asked of a model, in the form that its abilities allow. */
export interface ModelRequest {
  conversation(structured: boolean): Conversation;
  /** Null where plain text is asked for. */
  schema: SentSchema | null;
  schemaName: string;
  roleId: string;
  maxOutputTokens: number;
  temperature: number | undefined;
  onText?: (textSoFar: string) => void;
  /** What it is asked for, as the record has it. */
  why?: ModelCall['why'];
  /** What is personal in the conversation, and what became of it. */
  personal?: () => Personal;
  /** Images that are kept from the model, and recordings that are sent to it. */
  withheldImages?: number;
  recordings?: number;
}

/** What calls draw on: of one item, or of the whole pool. */
export interface CallResources {
  accounts: readonly Account[];
  sharedAccount: SharedAccount | null;
  cache: ModelAnswerCache | null;
  /** Adds to the books of the whole pool. */
  spend(usage: Usage): void;
}

/** What happens along the way of one answer. */
export interface CallContext {
  signal: AbortSignal;
  accounts: readonly Account[];
  /** The run's account, when other processes draw on it too. */
  sharedAccount: SharedAccount | null;
  /** Adds what a call cost to the books. */
  spend(usage: Usage): void;
  note(text: string): void;
  /** What was left out of the prompt; of several calls, the last says it. */
  noteCut(text: string): void;
  /** Puts on record what was sent and what came back. */
  keepCall(call: ModelCall): void;
}

/** `said`: what there is of a refused or filtered answer; `unreachable`: nobody listens at the address. */
export type AskResult =
  | { reply: ModelReply }
  | { failed: FailureReason; detail: string; said?: string; unreachable?: boolean };

/** What an answer took, its retries included. */
export interface Spent {
  usage: Usage;
  latencyMs: number;
  /** Retries and the like, in words. */
  notes?: readonly string[];
  /** What was left out of the prompt. */
  cut?: string;
}

/** The context of a call under the accounts of a pool, with what it has taken. */
export function openCallContext(
  { accounts, sharedAccount, spend }: Pick<CallResources, 'accounts' | 'sharedAccount' | 'spend'>,
  signal: AbortSignal,
): { context: CallContext; spent(): Spent; calls: readonly ModelCall[] } {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const notes: string[] = [];
  const calls: ModelCall[] = [];
  let usage = noUsage;
  let cut: string | undefined;
  const context: CallContext = {
    signal,
    accounts,
    sharedAccount,
    spend(more) {
      usage = addUsage(usage, more);
      spend(more);
    },
    note: (text) => void notes.push(text),
    noteCut: (text) => void (cut = text),
    keepCall: (call) => void calls.push(call),
  };
  return {
    context,
    calls,
    spent: () => ({
      usage,
      latencyMs: performance.now() - startedAt,
      ...(notes.length > 0 ? { notes } : {}),
      ...(cut === undefined ? {} : { cut }),
    }),
  };
}

/** Asks until there is a reply or no retry left; each attempt waits for limits and is covered by the budget first. */
export async function askModel(model: Model, request: ModelRequest, context: CallContext): Promise<AskResult> {
  const dispensedWith = new Set<string>();
  for (let retries = 0, attempt = 1; ; attempt += 1) {
    const outcome = await askOnce(model, request, context, attempt);
    if (!('kind' in outcome)) return outcome;
    switch (outcome.kind) {
      case 'mistake':
        throw outcome.error;
      case 'final':
        return { failed: outcome.reason, detail: outcome.detail, said: outcome.said };
      case 'unsupported':
        // Another call may have found it out meanwhile; this one still has to be made again without it, once.
        if (dispensedWith.has(outcome.feature)) return { failed: 'unavailable', detail: outcome.detail };
        dispensedWith.add(outcome.feature);
        model.doWithout(outcome.feature);
        context.note(`${model.name} does not support ${featureNames[outcome.feature]}; asked again without it`);
        break;
      case 'passing': {
        const wait = outcome.retryAfterMs ?? computeBackoff(retries, model.retryDelayMs, model.maxRetryDelayMs);
        if (retries >= model.retries || wait > model.maxRetryDelayMs)
          return { failed: outcome.reason, detail: outcome.detail, unreachable: outcome.unreachable };
        retries += 1;
        context.note(`${model.name} was asked again (${retries}): ${outcome.detail}`);
        if (outcome.retryAfterMs !== undefined) model.limiter.pauseFor(outcome.retryAfterMs);
        await pause(wait, context.signal);
      }
    }
  }
}

const featureNames = {
  'structured-output': 'a JSON schema',
  temperature: 'a temperature',
  'max-tokens': 'max_tokens',
};

async function askOnce(
  model: Model,
  request: ModelRequest,
  context: CallContext,
  attempt: number,
): Promise<AskResult | Failure> {
  const { signal } = context;
  const schema = model.structured ? request.schema : null;
  const conversation = request.conversation(model.structured);
  const schemaText = schema?.text ?? '';
  const maxOutputTokens = request.maxOutputTokens + model.thinkingTokens;
  const worst: TokenCount = {
    inputTokens: boundInputTokens(conversation, schemaText),
    outputTokens: maxOutputTokens,
    cachedTokens: 0,
  };
  // Loaded before the clock starts: a slow disk is not a slow model.
  const [languageModel, telemetry] = await Promise.all([model.load(), model.telemetry(request.roleId)]);
  await prepareCall({ telemetry, onText: request.onText });
  const slot = await model.limiter.acquire(estimateInputTokens(conversation, schemaText) + maxOutputTokens, signal);
  const reservation = await reserveEverywhere(context, {
    tokens: worst.inputTokens + worst.outputTokens,
    usd: computeCost(worst, model.price),
  }).catch((error: unknown) => {
    slot.release(0);
    throw error;
  });
  if (reservation === null) {
    slot.release(0);
    return { failed: 'budget', detail: `The budget does not cover another call to ${model.name}.` };
  }
  // An error response is not billed, nor is a request that never arrived.
  let spent: TokenCount = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  const began = performance.now();
  let sent: ModelCall['request'] = null;
  let disclosure: Disclosure | null = null;
  let said: ModelCall['reply'] = null;
  let problem: string | null = null;
  const timer = createDeadline(model.timeoutMs, signal);
  try {
    const reply = await hearRequest(
      () =>
        callModel({
          model: languageModel,
          conversation,
          schema,
          schemaName: request.schemaName,
          maxOutputTokens,
          temperature: model.temperatureFor(request.temperature),
          reasoning: model.reasoning,
          telemetry,
          signal: timer.signal,
          onText: request.onText,
        }),
      (raw) => {
        sent = showRequest(raw, conversation, { provider: model.provider.name, redact: model.redact });
        disclosure = describeDisclosure(model, request, conversation, raw.bytes);
      },
    );
    const text = model.redact(reply.text);
    said = { text, finish: reply.finish };
    if (reply.cut !== undefined) context.noteCut(reply.cut);
    const failure = classifyFinish(reply.finish, reply.rawFinish, text);
    const written = Math.min(Buffer.byteLength(reply.text), maxOutputTokens);
    spent = reply.tokens ?? (failure ? worst : { ...worst, outputTokens: written });
    if (reply.tokens === null && !failure)
      context.note(`${model.name} did not report its usage; the most it can have been is counted`);
    if (failure) problem = failureDetail(failure);
    return failure ?? { reply: { ...reply, text } };
  } catch (error) {
    // A request that was given up may have been answered, and billed, all the same: the worst case stands.
    if (signal.aborted || timer.expired()) spent = worst;
    signal.throwIfAborted();
    if (timer.expired()) {
      problem = `No answer within ${model.timeoutMs} ms.`;
      return { kind: 'passing', reason: 'timeout', detail: problem, maybeBilled: true };
    }
    const failure = classifyError(error, model);
    problem = failureDetail(failure);
    if (failure.kind === 'passing' && failure.maybeBilled) spent = worst;
    return failure;
  } finally {
    timer.clear();
    const costUsd = computeCost(spent, model.price);
    context.spend({ calls: 1, ...spent, costUsd });
    context.keepCall({
      model: model.name,
      why: request.why ?? 'answer',
      attempt,
      instructions: conversation.instructions,
      messages: showMessages(conversation),
      schema: schema?.text ?? null,
      request: sent,
      disclosure,
      reply: said,
      problem,
      cached: false,
      usage: { ...spent, costUsd },
      latencyMs: performance.now() - began,
    });
    const tokens = spent.inputTokens + spent.outputTokens;
    slot.release(tokens);
    await reservation.settle({ tokens, usd: costUsd }).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      context.note(`what ${model.name} cost could not be booked, and its worst case stays set aside: ${said}`);
    });
  }
}

/** What a provider gets with one request. */
export function describeDisclosure(
  { provider: { trust } }: Pick<Model, 'provider'>,
  { personal, withheldImages = 0, recordings = 0 }: Pick<ModelRequest, 'personal' | 'withheldImages' | 'recordings'>,
  { messages }: Pick<Conversation, 'messages'>,
  bytes: number,
): Disclosure {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return {
    host: trust.host,
    here: trust.place === 'here',
    at: new Date().toISOString(),
    bytes,
    ...(personal?.() ?? { masked: {}, unmasked: {} }),
    images: parts.filter(({ type }) => type === 'file').length,
    withheldImages,
    recordings,
  };
}

function failureDetail(failure: Failure): string {
  return failure.kind === 'mistake' ? failure.error.message : failure.detail;
}

const nothing: Cost = { tokens: 0, usd: 0 };

/** In this process's accounts first; what they hold is given back when the shared one does not cover the call. */
async function reserveEverywhere({ accounts, sharedAccount, signal }: CallContext, worst: Cost) {
  const here = reserveCost(accounts, worst);
  if (here === null || sharedAccount === null) return here && { settle: async (actual: Cost) => here.settle(actual) };
  try {
    const shared = await sharedAccount.reserve(worst);
    if (shared !== null && !signal.aborted) {
      return {
        settle(actual: Cost) {
          here.settle(actual);
          return shared.settle(actual);
        },
      };
    }
    here.settle(nothing);
    await shared?.settle(nothing);
  } catch (error) {
    here.settle(nothing);
    throw error;
  }
  signal.throwIfAborted();
  return null;
}

/** A signal that ends with the caller's or after a time, and tells which. */
function createDeadline(milliseconds: number, outer: AbortSignal) {
  const controller = new AbortController();
  let expired = false;
  const abort = () => controller.abort(outer.reason);
  const timer = setTimeout(() => {
    expired = true;
    controller.abort(new DOMException('The call took too long.', 'TimeoutError'));
  }, milliseconds);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
