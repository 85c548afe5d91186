import path from 'node:path';
import { isTextFormat, parseReportFormat, renderReport, renderReportFile, requireReportFile } from '@agonhq/core/app';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Policy } from '@agonhq/engine/policy';
import {
  createJobs,
  type FindSource,
  type Job,
  type JobAnswer,
  type JobCorrection,
  type ReportExtras,
} from '@agonhq/judges/job';
import { loadImage, thumbnail } from '@agonhq/models/senses';
import { saveReport } from '../files.ts';

export interface ReportOptions {
  /** Files by extension, or `notice` for standard output. */
  reports: readonly string[];
  /** The judged images in order: files, bytes, or null for one that was only described. */
  images?: readonly (string | Uint8Array | null)[];
  /** Files of the judged recordings by their ids: a page beside them links to them. */
  recordings?: Readonly<Record<string, string>>;
  /** Finds the picture of a frame by its hash. */
  findPicture?: FindSource;
  policy?: Policy;
  appeal?: string;
  findSource?: FindSource;
  /** What people said of its claims since. */
  corrections?: readonly JobCorrection[];
  /** What people made of its findings for the report. */
  edits?: ReportExtras['edits'];
  /** What a person decided since, for the notice. */
  decision?: ReportExtras['decision'];
}

/** Fails if a file name asks for a report that the job does not have. */
export function assertReports(job: Job, reports: readonly string[]): void {
  for (const report of reports) {
    const format = parseReportFormat(report);
    if (!isTextFormat(format)) requireReportFile(ownJobs, job, format, report);
  }
}

export async function writeReports(
  job: Job,
  answer: JobAnswer & { subject?: unknown },
  {
    reports,
    images = [],
    recordings = {},
    findPicture,
    policy,
    appeal,
    findSource,
    corrections,
    edits,
    decision,
  }: ReportOptions,
): Promise<void> {
  if (reports.length === 0) return;
  const jobs = createJobs([job]);
  const { images: shown = [] } = (answer.subject ?? {}) as { images?: readonly ShownImage[] };
  const pictures = reports.some((report) => report.endsWith('.html'))
    ? await renderThumbnails(shown, images, findPicture)
    : {};
  for (const report of reports) {
    const format = parseReportFormat(report);
    const rendered = isTextFormat(format)
      ? await renderReport(
          answer,
          format,
          {
            images: pictures,
            recordings: linkFrom(report, recordings),
            policy,
            appeal,
            corrections,
            edits,
            ...(decision ? { decision } : {}),
          },
          jobs,
        )
      : await renderReportFile(answer, format, findSource, { corrections, edits }, jobs);
    if (report === 'notice') process.stdout.write(`${String(rendered).trimEnd()}\n`);
    else await saveReport(report, rendered, 'Choose another file for the report.');
  }
}

/** Files as a page links to them: by a path from where it lies. */
function linkFrom(report: string, files: Readonly<Record<string, string>>): Record<string, string> {
  const folder = path.dirname(path.resolve(report));
  return Object.fromEntries(
    Object.entries(files).map(([id, file]) => {
      const steps = path.relative(folder, path.resolve(file)).split(path.sep);
      return [id, steps.map(encodeURIComponent).join('/')];
    }),
  );
}

interface ShownImage {
  id: string;
  hash?: string | null;
  /** Of a frame of a film. */
  frame?: object;
  /** It is on a list of known images. */
  withheld?: boolean;
}

async function renderThumbnails(
  shown: readonly ShownImage[],
  images: NonNullable<ReportOptions['images']>,
  findPicture: FindSource = async () => null,
): Promise<Record<string, string>> {
  const pictures = await Promise.all(
    shown.map(async ({ id, hash, frame, withheld }, index) => {
      if (withheld) return [];
      const image = frame && hash ? await findPicture(hash) : (images[index] ?? null);
      if (image === null) return [];
      const bytes = typeof image === 'string' ? await loadImage(image) : image;
      return [[id, await thumbnail(bytes)] as const];
    }),
  );
  return Object.fromEntries(pictures.flat());
}
