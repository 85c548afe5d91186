import type { Called, Operation, operations } from '../api/index.ts';

/* The client's methods, from the operations of the contract: their ids name them, their schemas type them. */

/** Conditions of one call. */
export interface CallOptions {
  /** Ends the call; a trial that nobody waits for any more is stopped. */
  signal?: AbortSignal;
  /** How often it is asked again when that is safe; by default as the client was made. */
  retries?: number;
  timeoutMs?: number;
  /** Asked twice with the same, it is answered once. Where it can be given, one is made for each call. */
  idempotencyKey?: string;
  /** Of a stream: goes on after this event. */
  lastEventId?: string;
  headers?: Record<string, string>;
}

/** A file to be sent: as a browser has it, or its bytes or text with a name. */
export type FileInput = File | { name: string; data: Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string };

/** Events as they happen. It begins when it is heard; leaving it (`break`) ends the connection. */
export interface EventStream<Event, Answer> extends AsyncIterable<Event> {
  /** Hears what is left, and returns what it came to. */
  answer(): Promise<Answer>;
}

type Known = (typeof operations)[number];
type GroupOf<Id extends string> = Id extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Id extends string> = Id extends `${string}.${infer Verb}` ? Verb : never;

/** The ids of a path come first, in its order. */
type Ids<Path extends string> = Path extends `${string}{${string}}${string}{${string}}${string}`
  ? [id: string, other: string]
  : Path extends `${string}{${string}}${string}`
    ? [id: string]
    : [];

type Shape<Schema> = Schema extends { _zod: { input: infer Input; output: infer Output } }
  ? { input: Input; output: Output }
  : never;

/** What a query or a form carries is text on the way; whoever asks gives the value itself. */
type Values<Schema> =
  Shape<Schema> extends { input: infer Input; output: infer Output }
    ? {
        [Name in keyof Input]: unknown extends Input[Name]
          ? Name extends keyof Output
            ? Output[Name]
            : never
          : Name extends keyof Output
            ? Exclude<Input[Name], 'true' | 'false'> | Output[Name]
            : Input[Name];
      }
    : never;

type Given<Of extends Operation> = Of extends { upload: object }
  ? Values<Of['body']> & { files: readonly FileInput[] }
  : Of extends { body: object }
    ? Called<Of>['body']
    : Of extends { query: object }
      ? Values<Of['query']>
      : undefined;

/** What is asked to be made is always said, even where each part of it may be left out. */
type MayBeLeftOut<Of extends Operation, What> = object extends What
  ? Of extends { body: object }
    ? Ids<Of['path']> extends []
      ? false
      : true
    : true
  : false;

type Arguments<Of extends Operation, What = Given<Of>> = [
  ...Ids<Of['path']>,
  ...(What extends undefined ? [] : MayBeLeftOut<Of, What> extends true ? [given?: What] : [given: What]),
  options?: CallOptions,
];

/** With `media` beside a schema, the plain verb answers with the value, and takes no format. */
type Two = { answers: { schema: object; media: readonly string[] }; lines?: undefined };

type EventOf<Of extends Operation> = Called<Of>['event'] extends infer Event
  ? Event extends { type: 'answer' }
    ? { type: 'answer'; answer: AnswerOf<Of> }
    : Event
  : never;
type AnswerOf<Of extends Operation> = Of extends { answers: { status: 204 } }
  ? void
  : Of extends { answers: { schema: object } }
    ? Called<Of>['answer']
    : Response;

/** Items in, results out, both as they come. */
type Lines<Of extends Operation> = (
  items: AsyncIterable<Input<Of['lines']>> | Iterable<Input<Of['lines']>>,
  query?: Values<Of['query']>,
  options?: CallOptions,
) => AsyncGenerator<Exclude<AnswerOf<Of>, { end: unknown }>, void, void>;

type Input<Schema> = Shape<Schema> extends { input: infer Taken } ? Taken : never;

type Verb<Of extends Operation> = Of extends { lines: object }
  ? Lines<Of>
  : Of extends { onlyEvents: true }
    ? (...given: Arguments<Of>) => EventStream<Called<Of>['event'], Called<Of>['event']>
    : Of extends Two
      ? (...given: [...Ids<Of['path']>, options?: CallOptions]) => Promise<AnswerOf<Of>>
      : (...given: Arguments<Of>) => Promise<AnswerOf<Of>>;

type StreamName<Id extends string> = VerbOf<Id> extends 'create' ? 'stream' : `stream${Capitalize<VerbOf<Id>>}`;

type Group<Of extends Known> = { [Each in Of as VerbOf<Each['id']>]: Verb<Each> } & {
  [
    Each in Of as Each extends { events: object }
      ? Each extends { onlyEvents: true }
        ? never
        : StreamName<Each['id']>
      : never
  ]: (...given: Arguments<Each>) => EventStream<EventOf<Each>, AnswerOf<Each>>;
} & {
  [Each in Of as Each extends Two ? `${VerbOf<Each['id']>}As` : never]: (
    ...given: Arguments<Each>
  ) => Promise<Response>;
};

/** Every operation of the server, by group and verb; those that can be heard as they happen also as `stream…`. */
export type Client = { [Name in GroupOf<Known['id']>]: Group<Extract<Known, { id: `${Name}.${string}` }>> };

/** What the client must know of an operation to call it. Made from the contract: see generate.ts. */
export interface ClientRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** What is given beside the ids of the path, and where it goes; a form has files too, under this name. */
  given: 'query' | 'json' | 'lines' | { form: string } | undefined;
  /** `value`: JSON. `media`: something else. `either`: the first, or the second when asked for. */
  answer: 'value' | 'media' | 'either' | 'nothing';
  /** It also answers with events, or with nothing else. */
  events: 'also' | 'only' | undefined;
  /** Its events are those of a trial: each has the same id whenever it is told. */
  isTrial: boolean;
  /** Takes an `Idempotency-Key`: asked twice, it is answered once. */
  isIdempotent: boolean;
}
