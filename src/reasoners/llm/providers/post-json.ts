interface JsonPost {
  headers: Readonly<Record<string, string>>;
  /** JSON, or a form with files. */
  body: object;
  signal: AbortSignal | undefined;
}

/** Posts JSON or a form, and gives the JSON of the answer. Errors take the SDK's form: failures are sorted in one place. */
export async function postJson(
  fetch: typeof globalThis.fetch,
  url: string,
  { headers, body, signal }: JsonPost,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: body instanceof FormData ? { ...headers } : { 'content-type': 'application/json', ...headers },
    body: body instanceof FormData ? body : JSON.stringify(body),
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
