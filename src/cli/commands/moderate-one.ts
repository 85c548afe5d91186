import { createAgon } from '../../agon.ts';
import type { Content, ModerationAnswer } from '../../moderation/index.ts';
import { debateBlocks } from '../debate-blocks.ts';
import { initialState, nextState } from '../debate-state.ts';
import { onInterrupt } from '../interrupt.ts';
import { liveView, width } from '../live-view.ts';
import { exitCodes } from '../print-error.ts';
import { readStandardInput } from '../read-text.ts';
import { settingsFor } from '../settings-flags.ts';
import { verdictLines } from '../verdict-lines.ts';
import { writeReports } from '../write-reports.ts';
import type { ModerateFlags } from './moderate.ts';

export async function moderateOne(text: string | undefined, flags: ModerateFlags): Promise<number> {
  const content = await contentFrom(text, flags);
  const interrupt = onInterrupt();
  const agon = await createAgon(await settingsFor(flags));
  const bare = flags.json || flags.quiet || flags.report?.includes('notice');
  const view = !bare && process.stdout.isTTY ? liveView(process.stdout) : null;
  try {
    let state = initialState;
    const trial = agon.moderation(content, { signal: interrupt.signal, stream: view !== null });
    let next = await trial.next();
    for (; !next.done; next = await trial.next()) {
      state = nextState(state, next.value);
      view?.show(next.value);
    }
    view?.end();
    const answer = next.value;
    if (!view && !bare) print(debateBlocks(state, width(process.stdout)).flatMap((block) => block.lines));
    if (flags.json) print([JSON.stringify(answer)]);
    else if (!flags.report?.includes('notice')) print(verdictLines(answer, width(process.stdout)));
    await writeReports(answer, { reports: flags.report ?? [], images: flags.image ?? [], policy: agon.policy, appeal: flags.appeal });
    return exitCode(answer, flags);
  } finally {
    view?.end();
    interrupt.dispose();
    await agon.close();
  }
}

async function contentFrom(text: string | undefined, flags: ModerateFlags): Promise<Content> {
  const given = flags.stdin ? await readStandardInput() : text;
  const images = [...(flags.image ?? []).map((file) => ({ file })), ...(flags.imageDescription ?? []).map((description) => ({ description }))];
  return { ...(given === undefined ? {} : { text: given }), ...(images.length > 0 ? { images } : {}) };
}

function exitCode(answer: ModerationAnswer, flags: ModerateFlags): number {
  return flags.failOn?.includes(answer.verdict.label) ? exitCodes.failOn : exitCodes.judged;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
