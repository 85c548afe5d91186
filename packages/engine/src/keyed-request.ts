/** A request that came with an `Idempotency-Key`: what it makes is remembered in the transaction that makes it. */
export interface KeyedRequest {
  owner: string;
  key: string;
  /** Hash of operation and content. */
  request: string;
}
