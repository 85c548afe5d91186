import type { Answer, CaseFile, SafetyLabel } from '../../debate/index.ts';
import { watchDebate, renderRecalled, type ShownTrial } from '../views/watch-debate.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { AgonError } from '../../errors.ts';
import { exitCodes } from '../print-error.ts';
import { printLines } from '../terminal/style.ts';

/** The flags of every command that judges one subject. */
export interface OneFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  failOn?: string[];
  file?: string;
  out?: string;
}

/** What the commands need of an answer, whatever its job: a verdict of safe, unsafe or undecided. */
export type JudgedAnswer = Pick<
  Answer<unknown, SafetyLabel>,
  'id' | 'verdict' | 'transcript' | 'retrieval' | 'usage' | 'provenance'
>;

/** A debate and how its job shows it and its verdict. */
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

/** Fails if --fail-on names something that is not a verdict. */
export function assertLabels(given: readonly string[] | undefined, labels: readonly string[]): void {
  const unknown = given?.find((label) => !labels.includes(label));
  if (unknown !== undefined)
    throw new AgonError('bad-flag', `--fail-on ${unknown} is not a verdict.`, `Verdicts are ${labels.join(', ')}.`);
}

/** Fails if two flags write to the same place, or --out has nothing to write. */
export function assertOneOutput({ json, report, out, file }: OneFlags): void {
  if (out !== undefined && file === undefined)
    throw new AgonError('bad-flag', '--out needs --file.', 'For one subject, use --report answer.json or --json.');
  if (json && report?.includes('notice'))
    throw new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Write the notice to a file: --report notice.txt.',
    );
}
