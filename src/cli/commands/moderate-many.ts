import path from 'node:path';
import { createAgon } from '../../agon.ts';
import { AgonError } from '../../errors.ts';
import type { Content, ModerationAnswer } from '../../moderation/index.ts';
import { isMistake, itemLines, openLines, openResultFile, readModerationItem, runItems, type ResultFile, type ResultRecord } from '../../runs/index.ts';
import { affordable } from '../affordable.ts';
import { countLines } from '../count-lines.ts';
import { onInterrupt } from '../interrupt.ts';
import { errorLine, exitCodes } from '../print-error.ts';
import { progressLine } from '../progress-line.ts';
import { settingsFor } from '../settings-flags.ts';
import type { ModerateFlags } from '../moderate-flags.ts';

export async function moderateMany(flags: ModerateFlags): Promise<number> {
  const file = flags.file!;
  const root = flags.root ?? (file === '-' ? process.cwd() : path.dirname(file));
  const input = await openLines(file);
  const agon = await createAgon(await settingsFor(flags));
  const { configuration } = agon.provenance();
  const before = new Set<string>();
  const out =
    flags.out === undefined
      ? standardOutput()
      : await openResultFile(flags.out, ({ result }) => before.add(labelUnder(configuration, result as ModerationAnswer, flags.out!)));
  const interrupt = onInterrupt();
  const line = progressLine({ quiet: flags.quiet === true, spent: () => agon.spent() });
  const labels = { safe: 0, unsafe: 0, undecided: 0 };
  try {
    const summary = await runItems<Content, ModerationAnswer>({
      items: itemLines(input, (value) => readModerationItem(value, root)),
      judge: async (content, signal) => affordable(await agon.moderate(content, { signal })),
      write: async (record) => {
        await out.write(record);
        if (record.result) labels[(record.result as ModerationAnswer).verdict.label] += 1;
      },
      concurrency: flags.concurrency,
      order: flags.order,
      done: out.done,
      total: file === '-' ? undefined : await countLines(file),
      isFatal: isMistake,
      onProgress: line.show,
      onError: (error, at) => line.note(`line ${at}: ${errorLine(error)}`),
      signal: interrupt.signal,
    });
    line.end(summary, labels);
    if (summary.failed > 0) return exitCodes.failed;
    return flags.failOn?.some((label) => before.has(label) || labels[label as keyof typeof labels] > 0) ? exitCodes.failOn : exitCodes.judged;
  } catch (error) {
    line.stop();
    if (!interrupt.signal.aborted) throw error;
    const hint = flags.out === undefined ? 'With --out FILE, the next run goes on where this one stopped.' : 'Run the same command again: it goes on where it stopped.';
    throw new AgonError('cancelled', 'The run was stopped.', hint, { cause: error });
  } finally {
    interrupt.dispose();
    input.destroy();
    await out.close();
    await agon.close();
  }
}

/** The verdict of an earlier run, which must have been given under the same models, policy and rules. */
function labelUnder(configuration: string, { verdict, provenance }: ModerationAnswer, file: string): string {
  if (provenance.configuration === configuration) return verdict.label;
  throw new AgonError(
    'other-configuration',
    `${file} holds results of another configuration (other models, policy or rules).`,
    'Give another --out, or delete the file to judge everything anew.',
  );
}

function standardOutput(): ResultFile {
  return {
    done: new Set<string>(),
    write: async (record: ResultRecord) => {
      if (!process.stdout.write(`${JSON.stringify(record)}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    },
    close: async () => {},
  };
}
