import { AgonError } from '@agonhq/engine/agon-error';
import type { GuardedCall } from '../../guard/index.ts';
import type { HttpGuard } from './http-options.ts';
import { readBody, type Body } from './read-body.ts';
import { describeHit, renderVerdictHeader, type GuardProblem } from './say-verdict.ts';

export interface JudgedRequest {
  call: GuardedCall;
  /** What is answered in place of the handler; null where it may go on. */
  stopped: GuardProblem | null;
  /** What the handler and the client are told of the verdict; null where it is only reported, or there is none. */
  header: string | null;
}

/** Judges a request before its handler sees it. */
export async function judgeRequest(
  body: Body,
  { guard, fields }: HttpGuard,
  signal?: AbortSignal,
): Promise<JudgedRequest> {
  const { onHit, prompts } = guard.choices;
  const { unread, ...asked } = await readBody(body, fields).catch(refuseDepth);
  const call = guard.startCall({ ...asked, skipped: unread });
  const stops = onHit === 'stop' || onHit === 'replace';
  if (prompts !== 'skip') for (const what of unread) call.refuse('prompt', what);
  const judged = prompts === 'skip' || (stops && call.findHit()) ? null : await call.judgePrompt(signal);
  const verdict = call.findHit() ?? judged;
  const header = verdict && onHit !== 'report' ? renderVerdictHeader(verdict) : null;
  const isStopped = stops && verdict?.hit === true;
  if (isStopped) call.end(onHit === 'stop' ? 'stopped' : 'replaced');
  return { call, header, stopped: isStopped ? describeHit(verdict, guard.choices) : null };
}

function refuseDepth(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  throw new AgonError('bad-json', 'The body is nested too deep.', 'Send it flatter.', { cause: error });
}
