import type { CatalogueEntry } from './index.ts';

/** Where streams come from and go to. */
export const streamErrors = {
  'bad-stream': { status: 400, meaning: 'The address of a stream cannot be read, or says what it cannot be.' },
  'unknown-stream': { status: 404, meaning: 'Nothing was delivered yet of a stream of this name.' },
  'bad-offset': { status: 400, meaning: 'A record has no offset, and behind the last one there is none.' },
  'record-too-long': { status: 413, meaning: 'A record of a stream is larger than a record may be.' },
  'stream-ended': { status: 503, meaning: 'A stream was ended before all of it was judged; it can be gone on with.' },
  'broker-unreachable': { meaning: 'The brokers of a stream cannot be reached.' },
  'unknown-topic': { meaning: 'The brokers have no topic of this name.' },
  'no-stream-rights': { meaning: 'The brokers or the database refuse access to a stream.' },
  'broker-refused': { meaning: 'The brokers of a stream refuse what they are asked.' },
  'database-unreachable': { meaning: 'The database of a stream cannot be reached.' },
  'unknown-table': { meaning: 'The table of a stream is not there, or lacks a column.' },
} satisfies Record<string, CatalogueEntry>;
