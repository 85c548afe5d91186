import type { Command } from 'commander';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import { addEmptyFlag, addExamples, setAction, addRecordFlags, collect, list } from '../define-command.ts';
import { readTextFile, readTyped } from '../files.ts';
import { assertLabels } from '../read-flags.ts';
import { addJobFlags } from '../settings-flags.ts';
import type { OneFlags } from './judge-one.ts';

interface JudgeFlags extends OneFlags {
  file?: string;
}

/** `agon judge` */
export async function defineJudge(command: Command): Promise<void> {
  command
    .description('Judge one item by any job: one that Agon ships, or a module of your own. The debate is recorded.')
    .argument('[item]', 'the item: JSON with the fields of the job, or a text; - reads standard input')
    .option('--file <item.json>', 'read the item from this file; - reads standard input')
    .option('--json', 'print the complete answer as JSON')
    .option('--report <file>', 'write a report: .html, .md or .json; "notice" prints the notice (repeatable)', collect)
    .option('--fail-on <labels>', 'exit with code 3 on these verdicts', list)
    .option('-q, --quiet', 'print only the verdict');
  addEmptyFlag(addRecordFlags(command));
  const job = await addJobFlags(command, 'judge');
  addExamples(
    command,
    [
      `agon judge --job ./my-job.ts '{"title":"Greet by name","diff":"+hello()"}'`,
      'agon judge --job ./my-job.ts --file pull-request.json --report verdict.html',
      'agon judge --job moderation "How do I kill a process on Linux?"',
      'agon run items.jsonl --job ./my-job.ts',
    ],
    'With `jobs: [./my-job.ts]` in agon.config.*, every command knows the job by its id. docs/own-job.md shows ' +
      'how to write one.',
  );
  setAction(command, (item: string | undefined, flags: JudgeFlags) => judgeItem(job, item, flags));
}

async function judgeItem(job: Job | null, item: string | undefined, flags: JudgeFlags): Promise<number> {
  if (!job) throw badFlag('agon judge needs a job.', 'Name it with --job ID, or --job ./my-job.ts.');
  if (item !== undefined && flags.file !== undefined)
    throw badFlag('An item cannot be combined with --file.', 'Use one of them.');
  if (item === undefined && flags.file === undefined)
    throw new AgonError(
      'nothing-to-judge',
      'There is nothing to judge.',
      'Pass the item, or --file item.json; `agon judge --help` has examples.',
    );
  assertLabels(flags.failOn, job.labels);
  const { judgeOne } = await import('./judge-one.ts');
  const { input, options } = await readItem(
    job,
    await (item === undefined ? readTextFile(flags.file!) : readTyped(item)),
  );
  return judgeOne(job, flags, { start: (agon) => (watching) => agon.judge(job, input, { ...options, ...watching }) });
}

/** An item as a line of a file would hold it; a text is its only field. */
async function readItem({ items }: Job, text: string) {
  const path = await import('node:path');
  const stored = await items.readItem(readValue(items, text), async (file) => ({ file: path.resolve(file) }));
  return items.openItem(stored.input, { find: async () => undefined, local: true }, { evaluatedModel: null });
}

function readValue({ bareText, parts, example }: Job['items'], text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new AgonError(
        'broken-line',
        `The item is not JSON: ${(error as Error).message}.`,
        `Pass JSON, for example ${example}.`,
        { cause: error },
      );
    }
  }
  const [field] = parts.find((together) => together.length === 1) ?? [];
  if (bareText || field === undefined) return text;
  return { [field]: text };
}
