import type { CaseRow } from '../../../src/api/index.ts';
import type { Client } from '../../../src/client/index.ts';

/* The answers of the server, by name. All of them come from its contract. */

type Answer<Method extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;

export type { CaseRow };
export type Self = Answer<Client['house']['self']>;
export type CaseRecord = Answer<Client['cases']['get']>;
export type ModerationAnswer = Answer<Client['moderations']['get']>;
export type EvaluationAnswer = Answer<Client['evaluations']['get']>;
export type Analysis = Answer<Client['analyses']['get']>;
export type Entry = ModerationAnswer['transcript'][number];
export type Turn = Extract<Entry, { kind: 'turn' }>;
export type Evidence = ModerationAnswer['verdict']['evidence'][number];
export type Scope = Self['scopes'][number];
export type Job = CaseRow['job'];
export type Precedent = Answer<Client['precedents']['get']>;
export type Policy = Answer<Client['policies']['get']>;
export type PolicyVersion = Answer<Client['policies']['list']>['rows'][number];
export type PolicyTest = Answer<Client['policies']['test']>;
export type ImpactReport = Answer<Client['policies']['impact']>;
export type QueueRow = Answer<Client['queue']['list']>['rows'][number];
export type QueueItem = Answer<Client['queue']['hold']>;
export type QueueDecided = Answer<Client['queue']['decide']>;
export type AnnotationProject = Answer<Client['annotations']['get']>;
export type AnnotationItem = Answer<Client['annotations']['item']>;
export type Overview = Answer<Client['overview']['get']>;
export type Run = Answer<Client['runs']['list']>['rows'][number];
export type RunReport = Answer<Client['runs']['get']>;
export type RunItem = Answer<Client['runs']['items']>['rows'][number];
export type RunDifference = Answer<Client['runs']['diff']>;
export type Bench = Answer<Client['benches']['list']>['rows'][number];
export type BenchReport = Answer<Client['benches']['get']>;
export type BenchSet = BenchReport['sets'][number];
export type BenchItem = Answer<Client['benches']['items']>['rows'][number];
