import { authors, holds, transparency } from './accountability.ts';
import { audit, settings } from './administration.ts';
import { benches } from './benches.ts';
import { cases } from './cases.ts';
import { annotations, overview, queue, session } from './console.ts';
import { corrections, findings } from './corrections.ts';
import { house, keys, openAi, teams, webhooks } from './server.ts';
import { knownImages } from './known-images.ts';
import { judging } from './judging.ts';
import { policies, precedents } from './library.ts';
import { assigning, queues } from './queues.ts';
import { runs } from './runs.ts';
import { streams } from './streams.ts';
import { shadows, watching } from './watching.ts';

/** Every operation of the HTTP API, in the order in which a reader wants them. */
export const operations = [
  ...judging,
  ...cases,
  ...corrections,
  ...findings,
  ...precedents,
  ...policies,
  ...runs,
  ...streams,
  ...queue,
  ...assigning,
  ...queues,
  ...knownImages,
  ...annotations,
  ...benches,
  ...overview,
  ...watching,
  ...shadows,
  ...openAi,
  ...keys,
  ...teams,
  ...webhooks,
  ...holds,
  ...authors,
  ...transparency,
  ...audit,
  ...settings,
  ...session,
  ...house,
] as const;

type Known = (typeof operations)[number];
export type OperationId = Known['id'];
export type OperationOf<Id extends OperationId> = Extract<Known, { id: Id }>;
