import { renderPdfBrief, renderReport, parseReportFormat, parseTextFormat } from '../../app/index.ts';
import type { Analysis } from '../../jobs/documents/index.ts';
import type { EvaluationAnswer } from '../../jobs/evaluation/index.ts';
import type { ModerationAnswer } from '../../jobs/moderation/index.ts';
import type { Policy } from '../../policy/index.ts';
import { loadImage, thumbnail } from '../../tools/index.ts';
import { saveFile } from '../write-file.ts';

export interface ReportOptions {
  /** Files by extension, or `notice` for standard output. */
  reports: readonly string[];
  /** The images that were judged, in order: files, bytes, or null for one that was only described. */
  images?: readonly (string | Uint8Array | null)[];
  policy?: Policy;
  appeal?: string;
}

type Judged = ModerationAnswer | EvaluationAnswer | Analysis;

export async function writeReports(
  answer: Judged,
  { reports, images = [], policy, appeal }: ReportOptions,
): Promise<void> {
  if (reports.length === 0) return;
  const pictures = reports.some((report) => report.endsWith('.html')) ? await renderThumbnails(answer, images) : {};
  for (const report of reports) {
    const rendered =
      isAnalysis(answer) && parseReportFormat(report) === 'pdf'
        ? await renderPdfBrief(answer)
        : renderReport(answer, parseTextFormat(report), { images: pictures, policy, appeal });
    if (report === 'notice') process.stdout.write(`${String(rendered).trimEnd()}\n`);
    else await saveReport(report, rendered);
  }
}

const isAnalysis = (answer: Judged): answer is Analysis => answer.job === 'documents';

async function renderThumbnails(
  answer: Judged,
  judged: NonNullable<ReportOptions['images']>,
): Promise<Record<string, string>> {
  if (!('subject' in answer) || !('images' in answer.subject)) return {};
  const { images } = answer.subject;
  const shown = await Promise.all(
    judged.map(async (image, index) =>
      image === null
        ? []
        : [[images[index]!.id, await thumbnail(typeof image === 'string' ? await loadImage(image) : image)] as const],
    ),
  );
  return Object.fromEntries(shown.flat());
}

async function saveReport(file: string, content: string | Uint8Array): Promise<void> {
  await saveFile(file, content, 'Choose another file for the report.');
  process.stderr.write(`Report: ${file}\n`);
}
