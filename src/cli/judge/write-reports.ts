import { parseReportFormat, parseTextFormat, renderPdfBrief, renderReport } from '../../app/index.ts';
import type { JobAnswer } from '../../jobs/index.ts';
import type { Policy } from '../../policy/index.ts';
import { loadImage, thumbnail } from '../../tools/index.ts';
import { saveFile } from '../files.ts';

export interface ReportOptions {
  /** Files by extension, or `notice` for standard output. */
  reports: readonly string[];
  /** The judged images in order: files, bytes, or null for one that was only described. */
  images?: readonly (string | Uint8Array | null)[];
  policy?: Policy;
  appeal?: string;
}

/** Whether a job has a PDF. */
export interface ReportingJob {
  report: { pdf?: unknown };
}

/** Fails if a file name asks for a report that the job does not have. */
export function assertReports({ report: { pdf } }: ReportingJob, reports: readonly string[]): void {
  for (const report of reports) (pdf ? parseReportFormat : parseTextFormat)(report);
}

export async function writeReports(
  answer: JobAnswer & { subject?: unknown },
  { reports, images = [], policy, appeal }: ReportOptions,
): Promise<void> {
  if (reports.length === 0) return;
  const { images: shown = [] } = (answer.subject ?? {}) as { images?: readonly { id: string }[] };
  const pictures = reports.some((report) => report.endsWith('.html')) ? await renderThumbnails(shown, images) : {};
  for (const report of reports) {
    const rendered =
      parseReportFormat(report) === 'pdf'
        ? await renderPdfBrief(answer)
        : renderReport(answer, parseTextFormat(report), { images: pictures, policy, appeal });
    if (report === 'notice') process.stdout.write(`${String(rendered).trimEnd()}\n`);
    else {
      await saveFile(report, rendered, 'Choose another file for the report.');
      process.stderr.write(`Report: ${report}\n`);
    }
  }
}

async function renderThumbnails(
  shown: readonly { id: string }[],
  images: NonNullable<ReportOptions['images']>,
): Promise<Record<string, string>> {
  const pictures = await Promise.all(
    images.map(async (image, index) => {
      if (image === null || !shown[index]) return [];
      const bytes = typeof image === 'string' ? await loadImage(image) : image;
      return [[shown[index].id, await thumbnail(bytes)] as const];
    }),
  );
  return Object.fromEntries(pictures.flat());
}
