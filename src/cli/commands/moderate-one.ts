import { createAgon, type Agon } from '../../agon.ts';
import { AgonError } from '../../errors.ts';
import type { Content, ModerationAnswer } from '../../moderation/index.ts';
import { reportFormatOf } from '../../reports/index.ts';
import { debateBlocks } from '../debate-blocks.ts';
import { initialState, nextState } from '../debate-state.ts';
import { onInterrupt } from '../interrupt.ts';
import { liveView, width } from '../live-view.ts';
import { exitCodes } from '../print-error.ts';
import { readStandardInput } from '../read-text.ts';
import { settingsFor } from '../settings-flags.ts';
import { verdictLines } from '../verdict-lines.ts';
import { writeReports } from '../write-reports.ts';
import type { ModerateFlags } from '../moderate-flags.ts';

export async function moderateOne(text: string | undefined, flags: ModerateFlags): Promise<number> {
  flags.report?.forEach(reportFormatOf); // Before anything is paid for.
  const content = await contentFrom(text, flags);
  const agon = await createAgon(await settingsFor(flags));
  const notice = flags.report?.includes('notice') === true;
  try {
    const answer = await judge(agon, content, flags.json || flags.quiet || notice);
    if (flags.json) print([JSON.stringify(answer)]);
    else if (!notice) print(verdictLines(answer, width(process.stdout)));
    await writeReports(answer, { reports: flags.report ?? [], images: flags.image ?? [], policy: agon.policy, appeal: flags.appeal });
    return flags.failOn?.includes(answer.verdict.label) ? exitCodes.failOn : exitCodes.judged;
  } finally {
    await agon.close();
  }
}

/** Judges, and unless `silent` shows the trial: live in a terminal, at its end elsewhere. */
async function judge(agon: Agon, content: Content, silent = false): Promise<ModerationAnswer> {
  const interrupt = onInterrupt();
  const view = !silent && process.stdout.isTTY ? liveView(process.stdout) : null;
  try {
    let state = initialState;
    const trial = agon.moderation(content, { signal: interrupt.signal, stream: view !== null });
    let next = await trial.next();
    for (; !next.done; next = await trial.next()) {
      state = nextState(state, next.value);
      view?.show(next.value);
    }
    if (!view && !silent) print(debateBlocks(state, width(process.stdout)).flatMap((block) => block.lines));
    return next.value;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new AgonError('cancelled', 'The debate was stopped.', 'Run the same command again; with --cache FOLDER, no answer is paid for twice.', { cause: error });
  } finally {
    view?.end();
    interrupt.dispose();
  }
}

async function contentFrom(text: string | undefined, flags: ModerateFlags): Promise<Content> {
  const given = flags.stdin ? await readStandardInput() : text;
  const images = [...(flags.image ?? []).map((file) => ({ file })), ...(flags.imageDescription ?? []).map((description) => ({ description }))];
  return { ...(given === undefined ? {} : { text: given }), ...(images.length > 0 ? { images } : {}) };
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
