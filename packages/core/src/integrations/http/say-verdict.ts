import { AgonError } from '@agonhq/engine/agon-error';
import { findErrorStatus } from '@agonhq/engine/errors';
import { summarizeVerdict, type Guard, type GuardVerdict } from '../../guard/index.ts';

/** Tells the verdict: to the handler on a request, to the client on a response. */
export const verdictHeader = 'agon-verdict';

/** @example 'unsafe; of=prompt; risk=0.757941; bar=0.0919; case=mod-3b0f…; clauses=weapons.make' */
export function renderVerdictHeader({ label, of, risk, bar, case: id, clauses, error }: GuardVerdict): string {
  const members = { of, risk, bar, case: id, clauses: clauses.join(',') || null, error: error?.code ?? null };
  const told = Object.entries(members).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [label, ...told].join('; ');
}

/** What is answered instead, as RFC 9457 has it. */
export interface GuardProblem {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** With the words of `replacement` where that was asked for; never with those that were judged. */
export function describeHit(verdict: GuardVerdict, { onHit, replacement }: Guard['choices']): GuardProblem {
  const named = verdict.clauses.length > 0 ? ` by ${verdict.clauses.join(', ')}` : '';
  const found = verdict.label === 'unsafe' ? `It is unsafe${named}.` : 'It could not be judged.';
  const detail = onHit === 'replace' ? replacement : found;
  return toProblem(
    403,
    {
      [verdictHeader]: renderVerdictHeader(verdict),
      'content-type': 'application/problem+json',
    },
    {
      type: 'about:blank',
      title: verdict.of === 'prompt' ? 'The request was stopped' : 'The answer was stopped',
      status: 403,
      detail,
      code: 'guarded',
      verdict: summarizeVerdict(verdict),
    },
  );
}

/** A body that cannot be read is the client's mistake; anything else is thrown on. */
export function describeMistake(error: unknown): GuardProblem {
  if (!AgonError.is(error)) throw error;
  const status = findErrorStatus(error.code);
  return toProblem(
    status,
    { 'content-type': 'application/problem+json' },
    {
      type: 'about:blank',
      title: error.message,
      status,
      detail: error.hint,
      code: error.code,
    },
  );
}

function toProblem(status: number, headers: GuardProblem['headers'], body: object): GuardProblem {
  return { status, headers, body: `${JSON.stringify(body)}\n` };
}

export function toResponse({ status, headers, body }: GuardProblem): Response {
  return new Response(body, { status, headers });
}
