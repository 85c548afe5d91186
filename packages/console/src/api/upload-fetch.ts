/** Bodies from here on take long enough to be told about. */
const large = 500_000;

/**
 * `fetch` that tells how much of a large body was sent, from 0 to 1, and null once it was. Browsers tell only who asks
 * by XMLHttpRequest; the answer is handed on as it comes, so that events are heard as they happen.
 */
export function createUploadFetch(tell: (sent: number | null) => void): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const { body } = init;
    if (typeof body !== 'string' || body.length < large) return globalThis.fetch(address, init);
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const { method = 'POST', signal } = init;
      request.open(method, address instanceof Request ? address.url : address.toString());
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener('progress', ({ loaded, total }) => tell(total > 0 ? loaded / total : 0));
      request.upload.addEventListener('loadend', () => tell(null));
      const answer = streamAnswer(request);
      request.addEventListener('readystatechange', () => {
        if (request.readyState !== XMLHttpRequest.HEADERS_RECEIVED) return;
        const headers = new Headers(readHeaders(request.getAllResponseHeaders()));
        resolve(new Response(answer, { status: request.status, headers }));
      });
      request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
      request.addEventListener('abort', () => reject(signal?.reason ?? new DOMException('Stopped.', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      if (signal?.aborted) return reject(signal.reason);
      tell(0);
      request.send(body);
    });
  };
}

/** The body of an answer, piece by piece as it comes. */
function streamAnswer(request: XMLHttpRequest): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let handed = 0;
  return new ReadableStream({
    start(controller) {
      const hand = () => {
        const text = request.responseText.slice(handed);
        handed += text.length;
        if (text !== '') controller.enqueue(encoder.encode(text));
      };
      request.addEventListener('progress', hand);
      request.addEventListener('load', () => {
        hand();
        controller.close();
      });
      for (const end of ['error', 'abort'])
        request.addEventListener(end, () => controller.error(new TypeError('The connection was lost.')));
    },
    cancel: () => request.abort(),
  });
}

function readHeaders(lines: string): [string, string][] {
  return lines
    .trim()
    .split(/[\r\n]+/)
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
}
