import path from 'node:path';
import { isTextFormat, parseReportFormat, renderReport, renderReportFile, requireReportFile } from '@agonhq/core/app';
import { badFlag } from '@agonhq/engine/agon-error';
import {
  assertJudged,
  type JobCorrection,
  type FindSource,
  type Job,
  type JobAnswer,
  type JudgeEvent,
  type ReportExtras,
} from '@agonhq/judges/job';
import { allJobs } from '@agonhq/core/own-jobs';
import type { Policy } from '@agonhq/engine/policy';
import type { Settings } from '@agonhq/core/settings';
import { loadImage, thumbnail } from '@agonhq/models/senses';
import { saveFile } from '../files.ts';
import { openAgon, type RecordedAgon } from '../open-agon.ts';
import { exitCodes } from '../print-error.ts';
import { readJobSettings, type SettingsFlags } from '../read-settings.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, printNote } from '../terminal/style.ts';
import { findView, renderAnswer, renderRecalled, watchCase, type StartCase } from '../views/watch-case.ts';

/** The flags of every command that judges one subject. */
export interface OneFlags extends SettingsFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  failOn?: string[];
}

interface OneCase {
  start(agon: RecordedAgon, settings: Settings): StartCase<JudgeEvent, JobAnswer>;
  /** What is judged, for the view. */
  names?: readonly string[];
  images?: ReportOptions['images'];
  recordings?: ReportOptions['recordings'];
  appeal?: string;
  findSource?: FindSource;
}

/** Judges one subject, shows the debate and the verdict, writes the reports. Returns the exit code. */
export async function judgeOne(job: Job, flags: OneFlags, { start, names, ...shown }: OneCase): Promise<number> {
  const { json, quiet, report = [], failOn } = flags;
  assertReports(job, report);
  const isNotice = report.includes('notice');
  if (json && isNotice)
    throw badFlag(
      '--json and --report notice both print to standard output.',
      'Write the notice to a file: --report notice.txt.',
    );
  const settings = await readJobSettings(flags, { kind: 'judge', job: job.id });
  const view = findView(job);
  const agon = await openAgon(settings, { only: [job.id] });
  try {
    const watched = await watchCase(view, start(agon, settings), { names, silent: json || quiet || isNotice });
    const { result: answer } = watched;
    if (json) printLines([JSON.stringify(answer)]);
    else if (!isNotice)
      printLines([
        ...renderAnswer(view, answer, { width: readableWidth(process.stdout), quiet: quiet === true }),
        ...(quiet ? [] : renderRecalled(watched)),
      ]);
    // A printed verdict includes the warnings.
    if (json || isNotice) for (const warning of view.listWarnings?.(answer) ?? []) printNote(warning);
    const { ledger } = agon;
    const findPicture = async (hash: string) => (await ledger?.attachments.findAttachment(hash))?.data ?? null;
    await writeReports(answer, { ...shown, findPicture, reports: report, policy: agon.policy });
    assertJudged(job, answer);
    return job.debates(answer).some(({ verdict }) => failOn?.includes(verdict.label))
      ? exitCodes.failOn
      : exitCodes.judged;
  } finally {
    await agon.close();
  }
}

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
    if (!isTextFormat(format)) requireReportFile(allJobs, job, format, report);
  }
}

export async function writeReports(
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
  const { images: shown = [] } = (answer.subject ?? {}) as { images?: readonly ShownImage[] };
  const pictures = reports.some((report) => report.endsWith('.html'))
    ? await renderThumbnails(shown, images, findPicture)
    : {};
  for (const report of reports) {
    const format = parseReportFormat(report);
    const rendered = isTextFormat(format)
      ? renderReport(
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
          allJobs,
        )
      : await renderReportFile(answer, format, findSource, { corrections, edits }, allJobs);
    if (report === 'notice') process.stdout.write(`${String(rendered).trimEnd()}\n`);
    else {
      await saveFile(report, rendered, 'Choose another file for the report.');
      process.stderr.write(`Report: ${report}\n`);
    }
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
