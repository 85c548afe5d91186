import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Guard } from '../../guard/index.ts';
import { holdResponse } from './hold-response.ts';
import { openHttpGuard, type HttpGuard, type HttpGuardOptions } from './http-options.ts';
import { judgeRequest, type JudgedRequest } from './judge-request.ts';
import { isJson, mediaTypeOf, parseJsonBody, readBytes, type Body } from './read-body.ts';
import { describeMistake, verdictHeader, type GuardProblem } from './say-verdict.ts';

type ParsedRequest = IncomingMessage & { body?: unknown; file?: unknown; files?: object };
type Next = (error?: unknown) => void;
type ExpressMiddleware = (request: ParsedRequest, response: ServerResponse, next: Next) => Promise<void>;

/**
 * A middleware for Express and Connect. A body that nobody has parsed yet is read, and left in `request.body` as
 * `express.json()` or `express.text()` would.
 *
 * @example app.post('/chat', guardExpress({ fields: ['/message'] }), answer)
 */
export function guardExpress(options: HttpGuardOptions = {}): ExpressMiddleware & { guard: Guard } {
  const http = openHttpGuard(options);
  const middleware: ExpressMiddleware = async (request, response, next) => {
    try {
      const left = new AbortController();
      response.on('close', () => left.abort());
      const judged = await judgeIncoming(request, http, left.signal);
      if ('status' in judged) return writeProblem(response, judged);
      if (judged.stopped) return writeProblem(response, judged.stopped);
      delete request.headers[verdictHeader];
      if (judged.header) {
        request.headers[verdictHeader] = judged.header;
        response.setHeader(verdictHeader, judged.header);
      }
      if (http.responses === 'judge') holdResponse(response, http, judged, left.signal);
      else judged.call.end(judged.call.findHit() ? 'reported' : 'passed');
    } catch (error) {
      return next(error);
    }
    next();
  };
  return Object.assign(middleware, { guard: http.guard });
}

async function judgeIncoming(
  request: ParsedRequest,
  http: HttpGuard,
  signal: AbortSignal,
): Promise<JudgedRequest | GuardProblem> {
  try {
    return await judgeRequest(await takeBody(request, http.maxBytes), http, signal);
  } catch (error) {
    return describeMistake(error);
  }
}

async function takeBody(request: ParsedRequest, maxBytes: number): Promise<Body> {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  // Express 4 has a body of its own where none was parsed.
  if (request.body !== undefined && request.readableEnded) {
    const { body, file, files } = request;
    const hasFiles = file !== undefined || Object.keys(files ?? {}).length > 0;
    if (typeof body === 'string' || body instanceof Uint8Array)
      return { type, bytes: new Uint8Array(Buffer.from(body)) };
    return { parsed: body, unread: hasFiles ? ['files of a form'] : [] };
  }
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length > 0) {
    const media = mediaTypeOf(type);
    if (isJson(media)) request.body = parseJsonBody(bytes);
    else request.body = media.startsWith('text/') ? new TextDecoder().decode(bytes) : Buffer.from(bytes);
  }
  return { type, encoding, bytes };
}

function writeProblem(response: ServerResponse, { status, headers, body }: GuardProblem): void {
  response.writeHead(status, headers).end(body);
}
