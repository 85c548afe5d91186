import type { Connection, PoolClient, Submittable } from 'pg';

/** How a statement begins whose only parameter is what is copied: the driver knows no other way to say it. */
const copying = /^copy .* from stdin/;

export function isCopy(words: unknown): words is string {
  return typeof words === 'string' && copying.test(words);
}

/** What the driver calls on a connection while rows are copied. */
interface CopyConnection extends Connection {
  query(words: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends rows to a server all at once, in its own format. */
export async function copyIn(client: PoolClient, words: string, data: Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = {
    submit: (connection: CopyConnection) => connection.query(words),
    handleCopyInResponse(connection: CopyConnection) {
      connection.sendCopyFromChunk(data);
      connection.endCopyFrom();
    },
    handleCommandComplete: () => undefined,
    // Whatever was copied is taken back; the connection is ready again once it says so.
    handleError: (error: Error) => reject(error),
    handleReadyForQuery: () => resolve(),
  };
  client.query(query as unknown as Submittable);
  await promise;
  return { command: 'COPY', rows: [] };
}
