import { AgonError } from '../../errors.ts';
import type { EventSource } from '../reply.ts';
import { eventStream } from './event-stream.ts';

/** The event streams that are open, of all clients together. */
export interface Streams {
  /** Throws (`too-many-streams`) when there is no room for another. */
  open(source: EventSource, request: Request): ReadableStream<Uint8Array>;
}

export function openStreams(most: number, counted: (change: 1 | -1) => void): Streams {
  let streams = 0;

  function count(change: 1 | -1): void {
    streams += change;
    counted(change);
  }

  return {
    open(source, { headers, signal }) {
      if (streams >= most)
        throw new AgonError(
          'too-many-streams',
          `${streams} streams are open: there is no room for another.`,
          'Close some, or come again; server.streams sets how many.',
        );
      count(1);
      return eventStream(source, { after: headers.get('last-event-id'), signal, onEnd: () => count(-1) });
    },
  };
}
