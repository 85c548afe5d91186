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
export type Verdict = ModerationAnswer['verdict'];
export type Scope = Self['scopes'][number];
export type Job = CaseRow['job'];
