import type { ItemLine } from '../../items/index.ts';
import type { Usage } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { assertAffordable, isMistake, openResultFile, runItems, type ResultFile } from '../../runs/index.ts';
import { listenForInterrupt, printLine } from '../process.ts';
import type { JudgedAnswer } from './judge-one.ts';
import { formatError, exitCodes } from '../print-error.ts';
import { openProgressLine } from '../terminal/progress-line.ts';

/** The flags of every command that judges a file of items. */
export interface ManyFlags {
  out?: string;
  concurrency: number;
  order: 'input' | 'as-done';
  failOn?: string[];
  quiet?: boolean;
}

/** Many trials under one configuration. */
export interface ManyTrials<Item, Answer extends JudgedAnswer> {
  items: AsyncIterable<ItemLine<Item>>;
  /** How many items there are, when that is known. */
  total?: number;
  configuration: string;
  judge(item: Item, signal: AbortSignal): Promise<Answer>;
  spent(): Usage;
  /** Warnings beside the verdict; each is printed once. */
  warnings?(answer: Answer): readonly string[];
}

/**
 * Judges every item into `--out` or standard output, with progress on standard error. An interrupted batch resumes
 * from `--out`. Returns the exit code.
 */
export async function judgeItems<Item, Answer extends JudgedAnswer>(
  flags: ManyFlags,
  trials: ManyTrials<Item, Answer>,
): Promise<number> {
  const before = new Set<string>();
  const out =
    flags.out === undefined
      ? openStandardOutput()
      : await openResultFile(flags.out, ({ result }) =>
          before.add(readEarlierLabel(trials.configuration, result, flags.out!)),
        );
  const interrupt = listenForInterrupt();
  const line = openProgressLine({ quiet: flags.quiet === true, spent: () => trials.spent() });
  const labels = { safe: 0, unsafe: 0, undecided: 0 };
  const warned = new Set<string>();
  try {
    const summary = await runItems<Item, Answer>({
      items: trials.items,
      judge: async (item, signal) => assertAffordable(await trials.judge(item, signal)),
      write: async (record) => {
        await out.write(record);
        if (record.result) note(record.result as Answer);
      },
      concurrency: flags.concurrency,
      order: flags.order,
      done: out.done,
      total: trials.total,
      isFatal: isMistake,
      onProgress: line.show,
      onError: (error, at) => line.note(`line ${at}: ${formatError(error)}`),
      signal: interrupt.signal,
    });
    line.end(summary, labels);
    if (summary.failed > 0) return exitCodes.failed;
    return flags.failOn?.some((label) => before.has(label) || labels[label as keyof typeof labels] > 0)
      ? exitCodes.failOn
      : exitCodes.judged;
  } catch (error) {
    line.stop();
    if (!interrupt.signal.aborted) throw error;
    const hint =
      flags.out === undefined
        ? 'With --out FILE, the next run can continue where this one stopped.'
        : 'Run the same command again to continue.';
    throw new AgonError('cancelled', 'The run was stopped.', hint, { cause: error });
  } finally {
    interrupt.dispose();
    await out.close();
  }

  function note(answer: Answer): void {
    labels[answer.verdict.label] += 1;
    for (const warning of trials.warnings?.(answer) ?? []) {
      if (!warned.has(warning)) line.note(warning);
      warned.add(warning);
    }
  }
}

/** The verdict of an earlier batch, which must have used the same models, policy and rules. */
function readEarlierLabel(configuration: string, result: unknown, file: string): string {
  const { verdict, provenance } = (result ?? {}) as Partial<JudgedAnswer>;
  if (!verdict || !provenance)
    throw new AgonError(
      'not-results',
      `${file} holds results of another command.`,
      'Nothing was changed. Choose another --out, or remove the file.',
    );
  if (provenance.configuration === configuration) return verdict.label;
  throw new AgonError(
    'other-configuration',
    `${file} holds results of another configuration (other models, policy or rules).`,
    'Choose another --out, or delete the file to judge everything again.',
  );
}

function openStandardOutput(): ResultFile {
  return {
    done: new Set<string>(),
    write: (record) => printLine(`${JSON.stringify(record)}\n`),
    close: async () => {},
  };
}
