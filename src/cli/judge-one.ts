import type { CaseFile } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import { stateAfter, type TrialEvent } from './debate-state.ts';
import { onInterrupt } from './interrupt.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { liveView, width, type BlocksOf } from './live-view.ts';
import { exitCodes } from './print-error.ts';

/** The flags of every command that judges one subject. */
export interface OneFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  failOn?: string[];
}

/** A trial and how its job shows it. */
export interface OneTrial<File extends CaseFile, Answer extends JudgedAnswer> {
  trial(options: { signal: AbortSignal; stream: boolean }): AsyncGenerator<TrialEvent<File>, Answer, void>;
  blocks: BlocksOf<File>;
  verdict(answer: Answer, width: number): string[];
  /** Writes what --report asks for. */
  report(answer: Answer): Promise<void>;
}

/** Judges one subject, shows the trial and its verdict, and returns the exit code. */
export async function judgeOne<File extends CaseFile, Answer extends JudgedAnswer>(flags: OneFlags, shown: OneTrial<File, Answer>): Promise<number> {
  const notice = flags.report?.includes('notice') === true;
  const answer = await heard(shown, flags.json || flags.quiet || notice);
  if (flags.json) print([JSON.stringify(answer)]);
  else if (!notice) print(shown.verdict(answer, width(process.stdout)));
  await shown.report(answer);
  return flags.failOn?.includes(answer.verdict.label) ? exitCodes.failOn : exitCodes.judged;
}

/** The answer of a trial, which unless `silent` is shown: live in a terminal, at its end elsewhere. */
async function heard<File extends CaseFile, Answer extends JudgedAnswer>({ trial, blocks }: OneTrial<File, Answer>, silent = false): Promise<Answer> {
  const interrupt = onInterrupt();
  const view = !silent && process.stdout.isTTY ? liveView(process.stdout, blocks) : null;
  const events: TrialEvent<File>[] = [];
  try {
    const debate = trial({ signal: interrupt.signal, stream: view !== null });
    let next = await debate.next();
    for (; !next.done; next = await debate.next()) {
      if (view) view.show(next.value);
      else events.push(next.value);
    }
    if (!view && !silent) print(blocks(stateAfter(events), width(process.stdout)).flatMap((block) => block.lines));
    return next.value;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new AgonError('cancelled', 'The debate was stopped.', 'Run the same command again; with --cache FOLDER, no answer is paid for twice.', { cause: error });
  } finally {
    view?.end();
    interrupt.dispose();
  }
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
