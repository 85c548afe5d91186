import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

export const streams = [
  operation('streams.judge', 'post', '/api/stream', 'judge', {
    summary: 'Judge items as they come',
    description:
      'One JSON object per line in, one per line out, in the same order, while the request is still being sent. The ' +
      'server stops reading while too much waits to be judged or to be received; each line counts as a request. A ' +
      'bad line has an error with its offset, and the others go on. A request lasts some minutes at most: the last ' +
      'line says where to go on, and after a lost connection you go on behind the last offset that you saw. What was ' +
      'judged before is recalled, and costs nothing.',
    query: schemas.streamQuery,
    lines: schemas.streamItem,
    answers: {
      status: 200,
      schema: schemas.streamLine,
      media: ['application/x-ndjson'],
      description: 'A line for each, and a last one.',
    },
    problems: [404, 415, 422],
    example: { offset: 0, key: 'post-1', text: 'How do I kill a process on Linux?' },
  }),
  operation('streams.get', 'get', '/api/stream/{stream}', 'read', {
    summary: 'How far a stream was delivered',
    params: schemas.byStream,
    answers: { status: 200, schema: schemas.streamPosition, description: 'The last offset.' },
    problems: [404],
  }),
] as const;
