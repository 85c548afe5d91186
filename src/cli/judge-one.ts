import type { CaseFile } from '../debate/index.ts';
import { watchDebate, renderRecalled, type ShownTrial } from './views/watch-debate.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { readableWidth } from './terminal/live-view.ts';
import { exitCodes } from './print-error.ts';
import { printLines } from './terminal/style.ts';

/** The flags of every command that judges one subject. */
export interface OneFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  failOn?: string[];
}

/** A trial and how its job shows it and its verdict. */
export interface OneTrial<File extends CaseFile, Answer extends JudgedAnswer> extends ShownTrial<File, Answer> {
  verdict(answer: Answer, width: number): string[];
  /** Writes what --report asks for. */
  report(answer: Answer): Promise<void>;
}

/** Judges one subject, shows the trial and its verdict, and returns the exit code. */
export async function judgeOne<File extends CaseFile, Answer extends JudgedAnswer>(
  flags: OneFlags,
  shown: OneTrial<File, Answer>,
): Promise<number> {
  const notice = flags.report?.includes('notice') === true;
  const heard = await watchDebate(shown, flags.json || flags.quiet || notice);
  const { result: answer } = heard;
  if (flags.json) printLines([JSON.stringify(answer)]);
  else if (!notice) printLines([...shown.verdict(answer, readableWidth(process.stdout)), ...renderRecalled(heard)]);
  await shown.report(answer);
  return flags.failOn?.includes(answer.verdict.label) ? exitCodes.failOn : exitCodes.judged;
}
