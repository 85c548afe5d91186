import { lazy } from 'react';
import { nameSeat, nameRule, nameSpeaker, describeStop } from '../../../../src/view/index.ts';
import type { Job } from '../../api/types.ts';
import { debateViews } from '../../trial/debate-views.ts';
import { readSource, toRecord, type TrialVerdict } from '../../trial/trial-view.ts';
import type { ConsoleJob, RawSource } from '../console-job.ts';
import { listReports, reportsUnder } from '../job-parts.ts';
import { createForm } from './form.tsx';
import type { JsonSchema } from './input-fields.ts';

const TurnDetails = lazy(async () => ({ default: (await import('./views.tsx')).TurnDetails }));
const ComputedSteps = lazy(async () => ({ default: (await import('./views.tsx')).ComputedSteps }));

/** What a server says of a job. */
export interface JobInfo {
  id: string;
  title?: string;
  labels?: readonly string[];
  input?: JsonSchema | null;
}

/** A job that the console has no views for: everything about it is shown as it is on record. */
export function describeAnyJob({ id, title = nameSeat(id), labels = [], input = null }: JobInfo): ConsoleJob {
  return {
    id: id as Job,
    title,
    labels,
    usesPolicy: false,
    form: createForm(input, () => () => {
      throw new Error(`This server does not take ${title} from the console.`);
    }),
    terms: {
      subject: 'content',
      roles: {},
      otherRoles: { quotesFor: 'implicit' },
      score: { title: 'Score', isRisk: false },
      rules: [],
      notApplied: '',
      quotedFor: { implicit: 'quoted as evidence' },
      describeRule: (rule) => nameRule(rule),
      describeOutcome: () => undefined,
      describeStop: (reason) => describeStop(reason),
      describeSeat: nameSpeaker,
      describeMethod: (method) => ({ title: nameSeat(method), how: '' }),
      describeVerdict: () => '',
      listVerdictFacts: () => [],
    },
    record: {
      page: '/cases/$id',
      openTitle: 'Open the case',
      takesStatement: true,
      reports: listReports('Summary'),
      reportUrl: reportsUnder(`jobs/${encodeURIComponent(id)}/cases`),
      calls: ({ moderations }) => moderations,
      listPrecedents: () => [],
    },
    review: { question: 'Is this right?', badge: title },
    runItems: 'JSON Lines, CSV or TSV, one item per line.',
    readSources: (sources) => sources.map(readSource),
    readAnswer: (answer) => {
      const { sources, verdict } = toRecord(answer);
      return {
        sources: Array.isArray(sources) ? (sources as RawSource[]).map(readSource) : [],
        verdict: (verdict as TrialVerdict | undefined) ?? null,
      };
    },
    views: {
      ...debateViews,
      TurnDetails,
      tabs: [{ name: 'computed', Panel: ComputedSteps, describe: () => 'Computed steps' }],
    },
  };
}
