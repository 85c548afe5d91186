import type { TrialJob } from '../jobs/console-job.ts';
import { describeAnyReport } from '../jobs/generic/report.tsx';
import { documentsReport } from '../jobs/documents/report.tsx';
import { evaluationReport } from '../jobs/evaluation/report.tsx';
import { moderationReport } from '../jobs/moderation/report.tsx';
import type { ReportView } from './debate-report.tsx';

/** The jobs whose reports have parts of their own. */
const reportViews: Readonly<Record<string, ReportView>> = {
  moderation: moderationReport,
  evaluation: evaluationReport,
  documents: documentsReport,
};

export function findReportView({ id, title }: Pick<TrialJob, 'id' | 'title'>): ReportView {
  return Object.hasOwn(reportViews, id) ? reportViews[id]! : describeAnyReport(title);
}
