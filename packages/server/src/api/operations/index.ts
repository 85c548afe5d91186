import { accountability } from './accountability.ts';
import { administration } from './administration.ts';
import { benches } from './benches.ts';
import { cases } from './cases.ts';
import { annotations, overview, queue, session } from './console.ts';
import { corrections } from './corrections.ts';
import { access, house, openAi } from './server.ts';
import { knownImages } from './known-images.ts';
import { judging } from './judging.ts';
import { policies, precedents } from './library.ts';
import { queues } from './queues.ts';
import { runs } from './runs.ts';
import { streams } from './streams.ts';
import { watching } from './watching.ts';

/** Every operation of the HTTP API, in the order in which a reader wants them. */
export const operations = [
  ...judging,
  ...cases,
  ...corrections,
  ...precedents,
  ...policies,
  ...runs,
  ...streams,
  ...queue,
  ...queues,
  ...knownImages,
  ...annotations,
  ...benches,
  ...overview,
  ...watching,
  ...openAi,
  ...access,
  ...accountability,
  ...administration,
  ...session,
  ...house,
] as const;

type Known = (typeof operations)[number];
export type OperationId = Known['id'];
export type OperationOf<Id extends OperationId> = Extract<Known, { id: Id }>;
