import { annotations, benches, overview, queue, session } from './console.ts';
import { house, keys, openAi, webhooks } from './server.ts';
import { knownImages } from './known-images.ts';
import { analyses, cases, corrections, evaluations, findings, jobs, judging, moderations } from './judging.ts';
import { policies, precedents } from './library.ts';
import { runs } from './runs.ts';

/** Every operation of the HTTP API, in the order in which a reader wants them. */
export const operations = [
  ...judging,
  ...moderations,
  ...evaluations,
  ...analyses,
  ...corrections,
  ...findings,
  ...jobs,
  ...cases,
  ...precedents,
  ...policies,
  ...runs,
  ...queue,
  ...knownImages,
  ...annotations,
  ...benches,
  ...overview,
  ...openAi,
  ...keys,
  ...webhooks,
  ...session,
  ...house,
] as const;

type Known = (typeof operations)[number];
export type OperationId = Known['id'];
export type OperationOf<Id extends OperationId> = Extract<Known, { id: Id }>;
