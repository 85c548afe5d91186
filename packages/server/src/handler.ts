import type { Asked, OperationId, OperationOf } from './api/index.ts';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { ServerContext } from './server-context.ts';
import type { Principal } from './auth/principal.ts';
import type { UploadedFile } from './http/read-upload.ts';
import type { Reply } from './reply.ts';

/** What a handler is given: read through the schemas of its operation, asked by somebody who may. */
export type Request<Id extends OperationId> = Asked<OperationOf<Id>> & {
  /** The operation's files, spooled to disk until the answer was given. */
  files: readonly UploadedFile[];
  /** The body as it comes, of an operation that reads lines. */
  lines: AsyncIterable<Uint8Array> | null;
  /** Counts a line of it as a request; throws where that is one too many. */
  countRequest(): void;
  principal: Principal;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** The client asked for events. */
  wantsEvents: boolean;
  lastEventId: string | null;
  /** Absent where no Idempotency-Key came with it. */
  once: KeyedRequest | undefined;
  requestId: string;
  /** Where the client reaches the server: `http://127.0.0.1:4100`. */
  origin: string;
  /** The client came over https. */
  secure: boolean;
  /** The session that came with it, whatever it is good for. */
  session: string | null;
};

/** Answers one operation: a value for its JSON, in which a Date is a moment in ISO 8601, or a reply of another kind. */
export type Handler<Id extends OperationId> = (
  request: Request<Id>,
  context: ServerContext,
) => Promise<Reply | object | null> | Reply | object | null;

/** A handler for each of some operations. */
export type Handlers<Ids extends OperationId = OperationId> = { [Id in Ids]: Handler<Id> };

/** The operations of a group: `GroupOf<'runs'>`. */
export type GroupOf<Group extends string> = Extract<OperationId, `${Group}.${string}`>;
