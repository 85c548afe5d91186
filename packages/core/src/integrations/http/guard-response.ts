import { sayDone, type GuardVerdict } from '../../guard/index.ts';
import { guardBody } from './guard-body.ts';
import { selectTexts, type HttpGuard } from './http-options.ts';
import type { JudgedRequest } from './judge-request.ts';
import { decodeBody, inflate, isJson, isText, isUtf8Named, mediaTypeOf, readBytes, tryJson } from './read-body.ts';
import { describeHit, renderVerdictHeader, toResponse, verdictHeader } from './say-verdict.ts';

/** What the handler answered, judged if that was asked for, with the verdict on it. */
export async function guardResponse(
  response: Response,
  http: HttpGuard,
  { call, header }: Pick<JudgedRequest, 'call' | 'header'>,
  signal?: AbortSignal,
): Promise<Response> {
  const { choices } = http.guard;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (header) headers.set(verdictHeader, header);
  const pass = (body: ConstructorParameters<typeof Response>[0]) => new Response(body, { status, statusText, headers });

  function finish(verdict: GuardVerdict | null, body: ConstructorParameters<typeof Response>[0]): Response {
    const hit = call.findHit();
    call.end(sayDone(choices, hit));
    if (verdict?.hit && (choices.onHit === 'stop' || choices.onHit === 'replace'))
      return toResponse(describeHit(verdict, choices));
    if (verdict && choices.onHit !== 'report') headers.set(verdictHeader, renderVerdictHeader(hit ?? verdict));
    return pass(body);
  }

  if (http.responses === 'skip' || response.body === null) return finish(null, response.body);
  // What `fetch` brought is unpacked already, and still says how it was packed.
  const packed = response.url === '' ? headers.get('content-encoding') : null;
  const contentType = headers.get('content-type');
  const type = mediaTypeOf(contentType);
  const body = inflate(response.body, packed);
  if (!body || !(isText(type) || isJson(type))) {
    const verdict = call.refuse('answer', body ? type : packed!);
    if (verdict.hit && choices.onHit !== 'mark' && choices.onHit !== 'report')
      void response.body.cancel().catch(() => undefined);
    return finish(verdict, response.body);
  }
  headers.delete('content-length');
  headers.delete('content-encoding');
  if (isText(type) && isUtf8Named(contentType))
    return pass(guardBody(body, type === 'text/event-stream', http, call, signal));
  try {
    const bytes = await readBytes(body, Infinity);
    const text = decodeBody(bytes, contentType);
    if (text === null) return finish(call.refuse('answer', contentType!), bytes);
    const parsed = isJson(type) ? tryJson(text) : undefined;
    const said = parsed === undefined ? text : selectTexts(parsed, http.responseFields).join('\n');
    return finish(await call.judgeAnswer([said], signal), bytes);
  } catch (error) {
    call.end('aborted');
    throw error;
  }
}
