import { badFlag } from '@agonhq/engine/agon-error';
import {
  assertJudged,
  createJobs,
  type FindSource,
  type Job,
  type JobAnswer,
  type JudgeEvent,
} from '@agonhq/judges/job';
import { ownBlocks } from '@agonhq/core/own-blocks';
import type { Settings } from '@agonhq/core/settings';
import { openAgon, type RecordedAgon } from '../open-agon.ts';
import { exitCodes } from '../print-error.ts';
import { readJobSettings, type SettingsFlags } from '../read-settings.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, printNote } from '../terminal/style.ts';
import { findView, renderAnswer, renderRecalled, watchCase, type StartCase } from '../views/watch-case.ts';
import type { ReportOptions } from './write-reports.ts';

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
  // What writes reports is loaded for those who want one.
  const reporting = report.length > 0 ? await import('./write-reports.ts') : null;
  reporting?.assertReports(job, report);
  const isNotice = report.includes('notice');
  if (json && isNotice)
    throw badFlag(
      '--json and --report notice both print to standard output.',
      'Write the notice to a file: --report notice.txt.',
    );
  const given = await readJobSettings(flags, { kind: 'judge', job }, createJobs([job], ownBlocks));
  const view = await findView(job);
  const agon = await openAgon(given, { only: [job.id] });
  try {
    const watched = await watchCase(view, start(agon, given.settings), { names, silent: json || quiet || isNotice });
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
    await reporting?.writeReports(job, answer, { ...shown, findPicture, reports: report, policy: agon.policy });
    assertJudged(job, answer);
    return job.debates(answer).some(({ verdict }) => failOn?.includes(verdict.label))
      ? exitCodes.failOn
      : exitCodes.judged;
  } finally {
    await agon.close();
  }
}
