import type { Problem } from '../../api/index.ts';

/** What OpenAI's API says where ours has a code of its own. */
const codes: Record<string, string> = {
  'unknown-moderation-model': 'model_not_found',
  'no-api-key': 'invalid_api_key',
  'wrong-api-key': 'invalid_api_key',
  'rate-limited': 'rate_limit_exceeded',
  'queue-full': 'rate_limit_exceeded',
};

/** A problem as OpenAI's SDKs read it. */
export function errorObject({ status, code, detail, hint }: Problem): {
  message: string;
  type: string;
  param: string | null;
  code: string;
} {
  return {
    message: `${detail} ${hint}`,
    type: typeOf(status),
    param: code === 'unknown-moderation-model' ? 'model' : null,
    code: codes[code] ?? code,
  };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
