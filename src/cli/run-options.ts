import { InvalidArgumentError, Option, type Command } from 'commander';
import { concurrency, list } from './option-groups.ts';

/** The flags of every command that takes a run towards its end. */
export function withConduct(command: Command): Command {
  return command
    .option(
      '--out <results.jsonl>',
      'write results there while they come: {line, key, result | error} a line (default: to the ledger alone)',
    )
    .addOption(
      new Option('--order <order>', 'order of results in --out').choices(['input', 'as-done']).default('input'),
    )
    .option('--concurrency <n>', 'items judged at once by this process', concurrency, 8)
    .option('--fail-on <labels>', 'exit with 3 when the run has one of these verdicts', list)
    .option(
      '--json',
      'results as JSON on standard output (or in --out), progress and summary as JSON on standard error',
    )
    .option('-q, --quiet', 'no progress, no summary');
}

/** The flags of every command that says how fast and how dear a run may be, beside the budgets in US dollars. */
export function withLimits(command: Command): Command {
  return command
    .option('--budget-tokens <n>', 'at most so many tokens for one item')
    .option('--run-budget-tokens <n>', 'at most so many tokens in all')
    .option('--limit-concurrency <n>', 'calls at once to each model that has no limit of its own')
    .option('--requests-per-minute <n>', 'the same for calls a minute, over all workers')
    .option('--tokens-per-minute <n>', 'the same for tokens a minute, over all workers');
}

/** A share between nothing and all: `0.05`, or `5%`. */
export function share(value: string): number {
  const number = value.endsWith('%') ? Number(value.slice(0, -1)) / 100 : Number(value);
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('Give a share between 0 and 1: 0.05 or 5%.');
  return number;
}
