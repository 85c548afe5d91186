/** What the client must know of an operation to call it. Made from the contract: see generate.ts. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** What is given beside the ids of the path, and where it goes; a form has files too, under this name. */
  given?: 'query' | 'json' | { form: string };
  /** `value`: JSON. `media`: something else. `either`: the first, or the second when asked for. */
  answer: 'value' | 'media' | 'either' | 'nothing';
  /** It also answers with events, or with nothing else. */
  events?: 'also' | 'only';
  /** Its events are those of a trial: each has the same id whenever it is told. */
  trial?: true;
  /** Takes an `Idempotency-Key`: asked twice, it is answered once. */
  idempotent?: true;
}
