import type { FailureReason, Usage } from '../../debate/index.ts';
import { reserve, type Account, type Cost } from './budget.ts';
import type { SharedAccount } from './call-control.ts';
import { callModel, prepareCall, type Reply } from './call.ts';
import { classifyError, classifyFinish, type Failure } from './failures.ts';
import { likelyInputTokens, mostInputTokens, type Conversation } from './messages.ts';
import type { Model } from './model.ts';
import { costOf, type TokenCount } from './prices.ts';
import { backoffMs, pause } from './retry.ts';
import type { SentSchema } from './sent-schema.ts';

/** What is asked of a model, in the form that its abilities allow. */
export interface Request {
  conversation(structured: boolean): Conversation;
  /** Null where plain text is asked for. */
  schema: SentSchema | null;
  schemaName: string;
  roleId: string;
  maxOutputTokens: number;
  temperature: number | undefined;
  onText?: (textSoFar: string) => void;
}

/** What happens along the way of one answer. */
export interface Course {
  signal: AbortSignal;
  accounts: readonly Account[];
  /** The run's account, when other processes draw on it too. */
  sharedAccount: SharedAccount | null;
  /** Adds what a call cost to the books. */
  spend(usage: Usage): void;
  note(text: string): void;
}

/**
 * `said`: what there is of an answer that was refused or filtered; `unreachable`: nobody listens at the provider's
 * address.
 */
export type Attempted =
  | { reply: Reply }
  | { failed: FailureReason; detail: string; said?: string; unreachable?: boolean };

/**
 * Asks a model until it replies, fails for good, or the retries are used up. Every attempt waits for the model's
 * limits and has its worst case covered by the budget before it is made.
 */
export async function attempt(model: Model, request: Request, course: Course): Promise<Attempted> {
  const dispensedWith = new Set<string>();
  for (let retries = 0; ;) {
    const outcome = await attemptOnce(model, request, course);
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
        course.note(`${model.name} does not support ${inWords[outcome.feature]}; asked again without it`);
        break;
      case 'passing': {
        const wait = outcome.retryAfterMs ?? backoffMs(retries, model.retryDelayMs, model.maxRetryDelayMs);
        if (retries >= model.retries || wait > model.maxRetryDelayMs)
          return { failed: outcome.reason, detail: outcome.detail, unreachable: outcome.unreachable };
        retries += 1;
        course.note(`${model.name} was asked again (${retries}): ${outcome.detail}`);
        if (outcome.retryAfterMs !== undefined) model.limiter.pauseFor(outcome.retryAfterMs);
        await pause(wait, course.signal);
      }
    }
  }
}

const inWords = {
  'structured-output': 'a JSON schema',
  temperature: 'a temperature',
  'max-tokens': 'max_tokens',
};

async function attemptOnce(model: Model, request: Request, course: Course): Promise<Attempted | Failure> {
  const { signal } = course;
  const schema = model.structured ? request.schema : null;
  const conversation = request.conversation(model.structured);
  const schemaText = schema?.text ?? '';
  const maxOutputTokens = request.maxOutputTokens + model.thinkingTokens;
  const worst: TokenCount = {
    inputTokens: mostInputTokens(conversation, schemaText),
    outputTokens: maxOutputTokens,
    cachedTokens: 0,
  };
  // Loaded before the clock starts: a slow disk is not a slow model.
  const [languageModel, telemetry] = await Promise.all([model.load(), model.telemetry(request.roleId)]);
  await prepareCall({ telemetry, onText: request.onText });
  const permit = await model.limiter.acquire(likelyInputTokens(conversation, schemaText) + maxOutputTokens, signal);
  const reservation = await reserveEverywhere(course, {
    tokens: worst.inputTokens + worst.outputTokens,
    usd: costOf(worst, model.price),
  }).catch((error: unknown) => {
    permit.release(0);
    throw error;
  });
  if (reservation === null) {
    permit.release(0);
    return { failed: 'budget', detail: `The budget does not cover another call to ${model.name}.` };
  }
  // An error response is not billed, nor is a request that never arrived.
  let spent: TokenCount = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  const timer = createDeadline(model.timeoutMs, signal);
  try {
    const reply = await callModel({
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
    });
    const text = model.redact(reply.text);
    const failure = classifyFinish(reply.finish, reply.rawFinish, text);
    const written = Math.min(Buffer.byteLength(reply.text), maxOutputTokens);
    spent = reply.tokens ?? (failure ? worst : { ...worst, outputTokens: written });
    if (reply.tokens === null && !failure)
      course.note(`${model.name} did not report its usage; the most it can have been is counted`);
    return failure ?? { reply: { ...reply, text } };
  } catch (error) {
    // A request that was given up may have been answered, and billed, all the same: the worst case stands.
    if (signal.aborted || timer.expired()) spent = worst;
    signal.throwIfAborted();
    if (timer.expired()) {
      return {
        kind: 'passing',
        reason: 'timeout',
        detail: `No answer within ${model.timeoutMs} ms.`,
        maybeBilled: true,
      };
    }
    const failure = classifyError(error, model);
    if (failure.kind === 'passing' && failure.maybeBilled) spent = worst;
    return failure;
  } finally {
    timer.clear();
    const costUsd = costOf(spent, model.price);
    course.spend({ calls: 1, ...spent, costUsd });
    const tokens = spent.inputTokens + spent.outputTokens;
    permit.release(tokens);
    await reservation.settle({ tokens, usd: costUsd }).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      course.note(`what ${model.name} cost could not be booked, and its worst case stays set aside: ${said}`);
    });
  }
}

const nothing: Cost = { tokens: 0, usd: 0 };

/**
 * In the accounts of this process first, at once; what those hold is given back when the shared one does not cover
 * the call.
 */
async function reserveEverywhere({ accounts, sharedAccount, signal }: Course, worst: Cost) {
  const here = reserve(accounts, worst);
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
