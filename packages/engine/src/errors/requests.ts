import type { CatalogueEntry } from './index.ts';

/** How the server is asked, by whom, and how much at once; and what a client sees of a server. */
export const requestErrors = {
  'bad-request': { status: 400, meaning: 'The path, the query or the body does not match the operation.' },
  'bad-json': { status: 400, meaning: 'The body is missing, is not JSON in UTF-8, or is nested too deep.' },
  'bad-page': { status: 400, meaning: '`after` is not the `next` of a page.' },
  'bad-upload': { status: 400, meaning: 'The form is malformed, breaks off, or holds too many files or fields.' },

  'no-api-key': { status: 401, meaning: 'The server needs a key, and none was sent.' },
  'wrong-api-key': { status: 401, meaning: 'The key is unknown, wrong, revoked or expired.' },
  'session-ended': { status: 401, meaning: 'The session has ended, or its key was revoked.' },

  'sign-in-refused': { status: 401, meaning: 'The OpenID provider, or the roles it tells of, let nobody in.' },
  'openid-failed': { status: 502, meaning: 'The OpenID provider cannot be reached, or its answer does not hold.' },

  'no-scope': { status: 403, meaning: 'The key lacks the scope that the operation needs.' },
  'bad-host': { status: 403, meaning: 'The server was reached by a host name that it does not accept.' },
  'bad-origin': { status: 403, meaning: 'A page of another origin called.' },
  'fetch-not-allowed': { status: 403, meaning: 'The server is not configured to fetch URLs that requests name.' },
  'private-address': { status: 403, meaning: 'The URL leads to an address that is not public.' },

  'not-found': { status: 404, meaning: 'There is nothing at this address.' },
  'method-not-allowed': { status: 405, meaning: 'The address exists; `Allow` lists its methods.' },

  'idempotency-running': { status: 409, meaning: 'The first request with this `Idempotency-Key` is still running.' },
  'idempotency-mismatch': { status: 422, meaning: 'This `Idempotency-Key` was used for a different request.' },

  'body-too-large': { status: 413, meaning: 'The body exceeds `server.bodyBytes`; the connection is closed.' },
  'upload-too-large': { status: 413, meaning: 'The upload exceeds `server.uploadBytes`; the connection is closed.' },
  'wrong-media-type': { status: 415, meaning: 'The `Content-Type` or `Content-Encoding` is not accepted.' },

  'queue-full': { status: 429, meaning: 'Too many trials are running and waiting.' },
  'rate-limited': { status: 429, meaning: 'The key has used up its requests for this minute.' },
  'too-many-streams': { status: 429, meaning: 'Too many event streams are open.' },
  'too-many-uploads': { status: 429, meaning: 'Other uploads take up all the space for uploads.' },

  cancelled: { status: 499, meaning: 'The client disconnected, or somebody stopped the trial or the run.' },
  internal: { status: 500, meaning: 'A fault of the server; its log names the request by its id.' },
  'standing-still': { status: 503, meaning: 'The server is busy with something that lets nothing else through.' },
  draining: { status: 503, meaning: 'The server is shutting down.' },
  'took-too-long': { status: 504, meaning: 'The trial exceeded `server.timeoutSeconds`; finished turns are kept.' },

  'unknown-key': { status: 404, meaning: 'There is no key with this id.' },
  'bad-expiry': { status: 422, meaning: 'The expiry of the key lies in the past.' },
  'unknown-webhook': { status: 404, meaning: 'There is no webhook with this id.' },
  'configured-webhook': { status: 409, meaning: 'The webhook is set in the configuration file.' },
  'unknown-delivery': { status: 404, meaning: 'The webhook has no such delivery that was given up.' },
  'webhook-off': { status: 409, meaning: 'The webhook is off, and is told nothing.' },
  'unnamed-model': { status: 404, meaning: 'The settings of the server name no such model.' },
  'too-many-webhooks': { status: 422, meaning: 'There are as many webhooks as the server allows.' },
  'unknown-rule': { status: 404, meaning: 'There is no rule of alerts with this id.' },
  'unknown-alert': { status: 404, meaning: 'There is no alert with this id.' },
  'too-many-rules': { status: 422, meaning: 'There are as many rules of alerts as the server allows.' },
  'unknown-shadow': { status: 404, meaning: 'There is no shadow with this id.' },
  'no-change': { status: 422, meaning: 'The candidate changes nothing of what is in force.' },
  'too-many-shadows': { status: 422, meaning: 'As many candidates judge in the shadow as the server allows.' },
  'bad-url': { status: 422, meaning: 'The URL is not one that the server may call.' },
  'fetch-failed': { status: 502, meaning: 'An image or a webhook could not be reached.' },
  'unknown-moderation-model': { status: 404, meaning: '`/v1/moderations` has no model of this name.' },

  'address-in-use': { meaning: 'The server cannot listen on this address.' },
  'bad-host-name': { meaning: '`server.allowedHosts` holds something that is not a host.' },
  'short-api-key': { meaning: '`AGON_API_KEY` is too short to be safe.' },

  'unreachable-server': { meaning: 'Client: the server cannot be reached.' },
  'unexpected-answer': { meaning: 'Client: what answered is not an Agon server.' },
  'client-timeout': { meaning: 'Client: there was no answer in time.' },
  'lost-stream': { meaning: 'Client: the connection broke off before the stream had ended.' },
  'stream-left': { meaning: 'Client: the stream was left before it had ended.' },

  'message-too-long': { meaning: 'MCP: a message exceeds the limit.' },
  'no-root': { meaning: 'MCP: a file was named by its path, and no folder was opened.' },
} satisfies Record<string, CatalogueEntry>;
