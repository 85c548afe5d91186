import { queryOptions } from '@tanstack/react-query';
import { AgonClientError, type FileInput } from '@agonhq/server/client';
import { client } from '../../api/client.ts';
import { createStore } from '../../browser-storage.ts';
import { isAbort } from '../../api/problem.ts';
import { queries } from '../../api/queries.ts';
import { type SentAnalysisEvent, foldEvent, isRunning, type LiveAnalysis, nothingYet } from './live-analysis.ts';

/* The analysis that this tab follows. It goes on while its reader looks at another page. */

const store = createStore<LiveAnalysis | null>(null);
let stop: AbortController | null = null;

export const useLiveAnalysis = store.useState;

export interface AnalysisGiven {
  files: readonly FileInput[];
  factors?: readonly string[];
  maxFactors?: number;
  /** What is known about them beside what they say. */
  context?: Parameters<typeof client.analyses.create>[0]['context'];
}

export function startAnalysis({ files, factors = [], maxFactors, context }: AnalysisGiven): void {
  follow(
    (signal) =>
      client.analyses.stream(
        {
          files,
          ...(factors.length > 0 ? { factors: [...factors] } : {}),
          ...(maxFactors === undefined ? {} : { maxFactors }),
          ...(context === undefined ? {} : { context }),
        },
        { signal },
      ) as AsyncIterable<SentAnalysisEvent>,
    nothingYet,
  );
}

/** One that somebody else began, or that was begun before the page was loaded. */
export function followAnalysis(id: string): void {
  follow((signal) => client.cases.events(id, { signal }), { ...nothingYet, id });
}

export function stopAnalysis(): void {
  stop?.abort();
}

/** Forgets how it ended. */
export function leaveAnalysis(): void {
  const live = store.get();
  if (live && !isRunning(live)) store.set(null);
}

function follow(open: (signal: AbortSignal) => AsyncIterable<SentAnalysisEvent>, from: LiveAnalysis): void {
  stop?.abort();
  const own = new AbortController();
  stop = own;
  store.set(from);
  const tell = (next: LiveAnalysis) => stop === own && store.set(next);
  void (async () => {
    try {
      for await (const event of open(own.signal)) {
        if (event.type === 'answer')
          queries.setQueryData(analysisKey((event.answer as { id: string }).id), event.answer);
        const live = store.get();
        if (live) tell(foldEvent(live, event));
      }
      await queries.invalidateQueries({ queryKey: ['cases'] });
    } catch (error) {
      const live = store.get();
      if (live) tell({ ...live, state: own.signal.aborted || isAbort(error) ? 'stopped' : 'failed', error });
    }
  })();
}

/** An analysis is sealed: once it is here, it is not asked for again. */
const analysisKey = (id: string) => ['analysis', id] as const;

export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: analysisKey(id),
    async queryFn({ signal }) {
      const answer = await client.cases.answer(id, { signal });
      if (answer.job === 'documents') return answer;
      throw new AgonClientError('unknown-case', `${id} is no analysis of documents.`, 'Look for it under Cases.');
    },
    staleTime: Infinity,
  });

export const correctionsKey = (id: string) => ['analysis', id, 'corrections'];

/** What people said of its claims, as far as it stands. */
export const correctionsQuery = (id: string) =>
  queryOptions({
    queryKey: correctionsKey(id),
    queryFn: async ({ signal }) => (await client.corrections.ofCase(id, {}, { signal })).rows,
    staleTime: 30_000,
  });
export type LiveCorrection = Awaited<ReturnType<typeof client.corrections.ofCase>>['rows'][number];

export const editsKey = (id: string) => ['analysis', id, 'findings'];

/** What people made of its findings for the report. */
export const editsQuery = (id: string) =>
  queryOptions({
    queryKey: editsKey(id),
    queryFn: async ({ signal }) => (await client.findings.ofCase(id, { signal })).rows,
    staleTime: 30_000,
  });

/** What its files are: asked for by itself, so that a PDF opens while a long analysis is still on its way. */
export const filesQuery = (id: string) =>
  queryOptions({
    queryKey: ['analysis', id, 'files'],
    queryFn: async ({ signal }) => (await client.cases.attachments(id, { signal })).rows,
    staleTime: 60_000,
  });
