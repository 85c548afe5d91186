import type { GuardedCall } from '../../guard/index.ts';
import { guardBody } from './guard-body.ts';
import { selectTexts, type HttpGuard } from './http-options.ts';
import { isJson, mediaTypeOf, parseJson } from './read-body.ts';
import { describeHit, renderVerdictHeader, toResponse, verdictHeader } from './say-verdict.ts';

/** What the handler answered, judged if that was asked for, with the verdict on it. */
export async function guardResponse(
  response: Response,
  http: HttpGuard,
  { call, header }: { call: GuardedCall; header: string | null },
  signal?: AbortSignal,
): Promise<Response> {
  const { choices } = http.guard;
  const headers = new Headers(response.headers);
  if (header) headers.set(verdictHeader, header);
  const pass = (body: ConstructorParameters<typeof Response>[0]) =>
    new Response(body, { status: response.status, statusText: response.statusText, headers });
  const type = mediaTypeOf(response.headers.get('content-type'));
  const isStreamed = type.startsWith('text/');
  if (http.responses === 'skip' || response.body === null || !(isStreamed || isJson(type))) {
    if (http.responses === 'judge' && response.body !== null) call.skip(type || 'response');
    call.end(call.findHit() ? (choices.onHit === 'mark' ? 'marked' : 'reported') : 'passed');
    return pass(response.body);
  }
  headers.delete('content-length');
  if (isStreamed) {
    const parts = guardBody(response.body, type === 'text/event-stream', http, call, signal);
    return pass(streamText(parts));
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const verdict = await call.judgeAnswer([selectTexts(parseJson(bytes), http.responseFields).join('\n')], signal);
  const { onHit } = choices;
  if (verdict?.hit && (onHit === 'stop' || onHit === 'replace')) {
    call.end(onHit === 'stop' ? 'stopped' : 'replaced');
    return toResponse(describeHit(verdict, choices));
  }
  const hit = call.findHit();
  call.end(hit ? (onHit === 'mark' ? 'marked' : 'reported') : 'passed');
  if (verdict && onHit !== 'report') headers.set(verdictHeader, renderVerdictHeader(hit ?? verdict));
  return pass(bytes);
}

function streamText(parts: AsyncGenerator<string, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        controller.error(error);
      }
    },
  });
}
