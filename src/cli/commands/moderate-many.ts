import path from 'node:path';
import { createAgon } from '../../agon.ts';
import type { AgonError } from '../../errors.ts';
import type { ModerationAnswer } from '../../moderation/index.ts';
import { itemLines, openLines, openResultFile, runItems, type ResultRecord } from '../../runs/index.ts';
import { countLines } from '../count-lines.ts';
import { onInterrupt } from '../interrupt.ts';
import { readModerationItem } from '../moderation-items.ts';
import { exitCodes, printError } from '../print-error.ts';
import { progressLine } from '../progress-line.ts';
import { settingsFor } from '../settings-flags.ts';
import type { ModerateFlags } from './moderate.ts';

/** Mistakes in the configuration: the next item would meet them too. */
const fatalCodes = new Set(['wrong-key', 'missing-key', 'unknown-model', 'unknown-provider', 'no-vision']);

export async function moderateMany(flags: ModerateFlags): Promise<number> {
  const file = flags.file!;
  const root = flags.root ?? (file === '-' ? process.cwd() : path.dirname(file));
  const input = await openLines(file);
  const agon = await createAgon(await settingsFor(flags));
  const out = flags.out === undefined ? standardOutput() : await openResultFile(flags.out);
  const interrupt = onInterrupt();
  const line = progressLine({ quiet: flags.quiet === true, spent: () => agon.spent() });
  const labels: Record<string, number> = { safe: 0, unsafe: 0, undecided: 0 };
  try {
    const summary = await runItems<ReturnType<typeof readModerationItem>, ModerationAnswer>({
      items: itemLines(input, (value) => readModerationItem(value, root)),
      judge: async (content, signal) => agon.moderate(content, { signal }),
      write: async (record) => {
        const label = (record.result as ModerationAnswer | undefined)?.verdict.label;
        if (label) labels[label]! += 1;
        await out.write(record);
      },
      concurrency: Number(flags.concurrency),
      order: flags.order,
      done: out.done,
      total: file === '-' ? undefined : await countLines(file),
      isFatal: (error) => fatalCodes.has(error.code),
      onProgress: line.show,
      onError: (error: AgonError, at: number) => line.note(`line ${at}: ${error.message} ${error.hint} (${error.code})`),
      signal: interrupt.signal,
    });
    line.end(summary, labels);
    if (summary.failed > 0) return exitCodes.failed;
    return flags.failOn?.some((label) => labels[label]! > 0) ? exitCodes.failOn : exitCodes.judged;
  } catch (error) {
    line.stop();
    printError(error);
    return interrupt.signal.aborted ? exitCodes.stopped : exitCodes.failed;
  } finally {
    interrupt.dispose();
    input.destroy();
    await out.close();
    await agon.close();
  }
}

function standardOutput() {
  return {
    done: new Set<string>(),
    write: async (record: ResultRecord) => {
      if (!process.stdout.write(`${JSON.stringify(record)}\n`)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    },
    close: async () => {},
  };
}
