import { lazy } from 'react';
import { nameSeat, nameRule, nameSpeaker, describeStop, toRecord } from '@agonhq/engine/view';
import type { ServedJob } from '../../api/client.ts';
import { debateViews } from '../../trial/debate-views.ts';
import type { TrialVerdict } from '../../trial/trial-view.ts';
import type { ConsoleJob, RawSource } from '../console-job.ts';
import { listReports } from '../job-parts.ts';
import { createForm } from './form.tsx';
import { readNamedSource } from './input-fields.ts';

const TurnDetails = lazy(async () => ({ default: (await import('./views.tsx')).GenericTurnDetails }));
const ComputedSteps = lazy(async () => ({ default: (await import('./views.tsx')).ComputedSteps }));

/** What a server says of a job; nothing but its id where it is only named. */
export type JobInfo = Pick<ServedJob, 'id'> & Partial<ServedJob>;

/** A job that the console has no views for: everything about it is shown as it is on record. */
export function describeAnyJob({ id, title = nameSeat(id), labels = [], input }: JobInfo): ConsoleJob {
  return {
    id,
    title,
    labels,
    usesPolicy: false,
    form: createForm(id, input ?? null),
    terms: {
      subject: 'content',
      roles: {},
      otherRoles: { quotesFor: 'implicit' },
      isRisk: false,
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
      listPrecedents: () => [],
    },
    review: { question: 'Is this right?', badge: title },
    runItems: 'JSON Lines, CSV or TSV, one item per line.',
    benchItems: 'JSON Lines, CSV or TSV, one item with its label per line.',
    readSources: (sources) => sources.map(readNamedSource),
    readAnswer: (answer) => {
      const { sources, verdict } = toRecord(answer);
      return {
        sources: Array.isArray(sources) ? (sources as RawSource[]).map(readNamedSource) : [],
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
