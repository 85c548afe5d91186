import { nameSeat } from '@agonhq/engine/view';
import type { ServedJob } from '../../api/client.ts';
import { debateViews } from '../../trial/debate-views.ts';
import type { ConsoleJob } from '../console-job.ts';
import { listReports } from '../job-parts.ts';
import { createForm } from './form.tsx';
import { describeAnyTrial } from './trial-job.ts';
import { ComputedSteps } from './views.tsx';

/** What a server says of a job; nothing but its id where it is only named. */
export type JobInfo = Pick<ServedJob, 'id'> & Partial<ServedJob>;

/** A job that the console has no views for: everything about it is shown as it is on record. */
export function describeAnyJob({ id, title = nameSeat(id), labels = [], input }: JobInfo): ConsoleJob {
  return {
    ...describeAnyTrial({ id, title }),
    labels,
    form: createForm(id, input ?? null),
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
    views: {
      ...debateViews,
      tabs: [{ name: 'computed', Panel: ComputedSteps, describe: () => 'Computed steps' }],
    },
  };
}
