import { AgonError, isWellFormed, type ErrorCode, type Issue } from '@agonhq/engine/agon-error';

interface About {
  status?: number | null;
  requestId?: string | null;
  cause?: unknown;
  issues?: readonly Issue[];
}

/** What a server said is wrong (RFC 9457), or why it could not be asked. */
export class AgonClientError extends AgonError {
  /** Of the answer; null when there was none. */
  readonly status: number | null;
  /** Names the request in the log of the server. */
  readonly requestId: string | null;

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    { status = null, requestId = null, ...options }: About = {},
  ) {
    super(code, message, hint, options);
    this.name = 'AgonClientError';
    this.status = status;
    this.requestId = requestId;
  }
}

interface Said {
  code?: unknown;
  detail?: unknown;
  hint?: unknown;
  issues?: unknown;
}

/**
 * An answer that tells of a problem, as an error. What is not Agon's own (a proxy's page, say) is told by its status.
 */
export async function errorFrom(response: Response): Promise<AgonClientError> {
  const text = await response.text().catch(() => '');
  return errorOf(parsed(text), { status: response.status, requestId: response.headers.get('x-request-id') });
}

/** A problem, as an error. */
export function errorOf(
  { code, detail, hint, issues }: Said,
  about: { status: number; requestId: string | null },
): AgonClientError {
  if (typeof code !== 'string' || !isWellFormed(code))
    return new AgonClientError(
      'unexpected-answer',
      `The server answered with ${about.status}, and not as Agon does.`,
      'Is there a proxy in between, or is it another server?',
      about,
    );
  return new AgonClientError(code, String(detail), String(hint), {
    ...about,
    ...(Array.isArray(issues) ? { issues: issues as Issue[] } : {}),
  });
}

function parsed(text: string): Said {
  try {
    return (JSON.parse(text) as Said | null) ?? {};
  } catch {
    return {};
  }
}
