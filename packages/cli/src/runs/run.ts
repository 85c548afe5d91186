import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import { addExamples, setAction, addRunFlags, type RunFlags } from '../define-command.ts';
import { addJobFlags } from '../settings-flags.ts';

type Flags = Omit<RunFlags, 'file'> & { file?: string };

/** `agon run` */
export async function defineRun(command: Command): Promise<void> {
  command
    .description(
      'Judge many items with one configuration. The ledger records a run while it goes on: a stopped or killed run ' +
        'resumes where it was. With PostgreSQL, workers on other machines help.',
    )
    .argument('[items]', 'items for --job, one JSON object per line, or CSV; - reads standard input');
  addRunFlags(command, {
    fields: 'the fields of the job',
    map: 'diff=patch',
    labels: 'yes=merge,no=hold',
    root: 'file',
  });
  const job = await addJobFlags(command, 'run');
  addExamples(
    command,
    [
      'agon run moderation --file comments.csv --map text=comment --name nightly',
      'agon run moderation --file items.jsonl --out results.jsonl --concurrency 32',
      'cat items.jsonl | agon run moderation --file - --run-budget-usd 20',
      'agon run evaluation --file exchanges.jsonl --requests-per-minute 500',
      'agon run documents --file reports.csv --estimate',
      'agon run items.jsonl --job ./my-job.ts',
      'agon run moderation --follow items.jsonl --out verdicts.jsonl',
      'agon run moderation --follow kafka://broker:9092/posts?group=agon --out kafka://broker:9092/verdicts',
      'agon runs resume nightly',
    ],
    'The commands above have the settings of their job. To list, show, resume and export runs, use `agon runs`.',
  );
  setAction(command, (items: string | undefined, flags: Flags) => runItems(job, items, flags));
}

async function runItems(job: Job | null, items: string | undefined, flags: Flags): Promise<number> {
  const file = items ?? flags.file;
  if (job && flags.follow !== undefined && items === undefined)
    return (await import('./start-run.ts')).runJob(job, flags as RunFlags);
  if (!job || file === undefined)
    throw badFlag(
      'A run needs a job and items.',
      'Write agon run moderation --file items.jsonl, or agon run items.jsonl --job ./my-job.ts.',
    );
  if (items !== undefined && flags.file !== undefined)
    throw badFlag('The items cannot be combined with --file.', 'Use one of them.');
  const { runJob } = await import('./start-run.ts');
  return runJob(job, { ...flags, file });
}
