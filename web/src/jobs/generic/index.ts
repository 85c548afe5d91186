import { nameSeat, nameRule, nameSpeaker, describeStop, describeLabel } from '../../../../src/view/index.ts';
import type { Job } from '../../api/types.ts';
import { debateViews } from '../../trial/debate-views.ts';
import { readSource } from '../../trial/trial-view.ts';
import type { ConsoleJob } from '../console-job.ts';
import { listReports, reportsUnder } from '../job-parts.ts';
import { describeForm } from './form.tsx';

const described = new Map<string, ConsoleJob>();

/** A job that the console does not know: everything about it is shown as it is on record. */
export function describeAnyJob(id: string): ConsoleJob {
  const known = described.get(id);
  if (known) return known;
  const job: ConsoleJob = {
    id: id as Job,
    title: nameSeat(id),
    labels: [],
    usesPolicy: false,
    form: describeForm(id),
    terms: {
      subject: 'content',
      roles: {},
      rules: [],
      notApplied: '',
      quotedFor: { risk: 'quoted against it', exoneration: 'quoted for it', both: 'for both' },
      describeRule: (rule) => nameRule(rule),
      describeOutcome: () => undefined,
      describeStop: (reason) => describeStop(reason),
      describeSeat: nameSpeaker,
      describeMethod: (method) => ({ title: nameSeat(method), how: '' }),
      describeVerdict: ({ label }) => describeLabel(label).meaning,
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
    review: { question: 'Is this right?', badge: nameSeat(id) },
    runItems: 'JSON Lines, CSV or TSV, one item per line.',
    readSources: (sources) => sources.map(readSource),
    readAnswer: (answer) =>
      'sources' in answer && Array.isArray(answer.sources) ? { sources: answer.sources.map(readSource) } : {},
    views: debateViews,
  };
  described.set(id, job);
  return job;
}
