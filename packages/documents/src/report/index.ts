import type { JobReport } from '@agonhq/judges/job/job-report';
import type { Analysis } from '../index.ts';
import { annotatePdf } from './annotate-pdf.ts';
import { csvFindings, xlsxFindings } from './findings-table.ts';
import { pdfBrief } from './pdf-brief.ts';

export { writeAnalysisMarkdown } from './markdown.ts';
export { writeAnalysisSummary } from './summary.ts';

/** The brief, the annotated copy, and the findings as a table. */
export const reportFiles: NonNullable<JobReport<Analysis>['files']> = {
  pdf: { mediaType: 'application/pdf', render: pdfBrief },
  annotated: { mediaType: 'application/pdf', render: annotatePdf },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    render: xlsxFindings,
  },
  csv: { mediaType: 'text/csv; charset=utf-8', render: csvFindings },
};
