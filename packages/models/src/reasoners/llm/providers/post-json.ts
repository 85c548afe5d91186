interface JsonPost {
  headers: Readonly<Record<string, string>>;
  /** JSON, or a form with files. */
  body: object;
  signal: AbortSignal | undefined;
}

/**
 * Posts JSON or a form, and gives the JSON of the answer. Errors take the SDK's form: failures are sorted in one place.
 */
export async function postJson(
  fetch: typeof globalThis.fetch,
  url: string,
  { headers, body, signal }: JsonPost,
): Promise<unknown> {
  const encoded = body instanceof FormData ? await encodeForm(body) : encodeJson(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': encoded.type, ...headers },
    body: encoded.bytes,
    signal,
  });
  const text = await response.text();
  if (!response.ok) {
    throw makeSdkError('AI_APICallError', findMessage(text) ?? response.statusText, {
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw makeSdkError('AI_JSONParseError', 'the body is not JSON');
  }
}

function encodeJson(body: object): { type: string; bytes: string } {
  return { type: 'application/json', bytes: JSON.stringify(body) };
}

async function encodeForm(form: FormData): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }> {
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type')!, bytes: new Uint8Array(await encoded.arrayBuffer()) };
}

/** An answer of the right status and the wrong shape. */
export function makeUnreadableError(problem: string): Error {
  return makeSdkError('AI_TypeValidationError', problem);
}

function makeSdkError(name: string, message: string, details: object = {}): Error {
  return Object.assign(new Error(message), { name, ...details });
}

/** `{ error: { message } }`, as OpenAI, Azure and most servers write it; or `{ message }`, or `{ error }`. */
function findMessage(body: string): string | undefined {
  try {
    const { error, message, detail } = JSON.parse(body) as Record<string, unknown>;
    const said =
      typeof error === 'object' && error !== null && 'message' in error ? error.message : (error ?? message ?? detail);
    return typeof said === 'string' && said !== '' ? said : undefined;
  } catch {
    return body.trim().slice(0, 300) || undefined;
  }
}
