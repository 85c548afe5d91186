import type { Command } from 'commander';
import type { FeedbackFlags } from '../commands/feedback.ts';
import type { LearnFlags } from '../commands/learn.ts';
import { collect, concurrency, positive, withLedger, withModeration } from '../option-groups.ts';

/** `agon feedback` and `agon learn` */
export function addLearning(program: Command): void {
  withLedger(
    program
      .command('feedback')
      .summary('say what the right verdict was')
      .description('Record the truth of past verdicts: one case, or a file of them.')
      .argument('[id]', 'the case, as it stands at the end of its verdict')
      .option('--label <label>', 'what it is: safe or unsafe')
      .option('--why <text>', 'what makes it so')
      .option('--clause <id>', 'the clause it breaks, or only looks like breaking')
      .option('--by <name>', 'who says so (default: feedback)')
      .option(
        '--file <truths.jsonl>',
        'many truths, one JSON object a line ("case" or "subject", "label", "why"); - for standard input',
      )
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
      .option('--json', 'print what was recorded as JSON'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon feedback mod-393886d5ac1c09ad --label safe --why "A line from a play."
  agon feedback --file truths.jsonl --by "trust team"
`,
    )
    .action(async (id: string | undefined, flags: FeedbackFlags) => {
      const { feedbackCommand } = await import('../commands/feedback.ts');
      process.exitCode = await feedbackCommand(id, flags);
    });

  withModeration(
    withLedger(
      program
        .command('learn')
        .summary('make precedents of mistakes')
        .description(
          'Learn from past verdicts that were wrong: the curator studies each trial in view of the truth, and ' +
            'what it finds becomes a precedent.',
        )
        .option('--all', 'the verdicts that were right, too')
        .option('--review', 'what is learnt waits for approval')
        .option('--dry-run', 'say what would be learnt; write nothing, pay nothing')
        .option('--limit <n>', 'at most so many cases', positive)
        .option('--concurrency <n>', 'cases studied at once', concurrency, 4)
        .option(
          '--approve <id>',
          'put a proposed precedent in force, by its id, or all that contradict nothing; may be given several times',
          collect,
        )
        .option('--reject <id>', 'turn a proposed precedent down; may be given several times', collect)
        .option('--why <text>', 'why it is turned down')
        .option('--by <name>', 'who approves it')
        .option(
          '--audit',
          'find precedents that do harm: judge decided cases with and without each of those they are shown',
        )
        .option('--retire', 'with --audit: take them out of use')
        .option('--yes', 'with --audit: do it even though models have to be paid')
        .option('--json', 'print the report as JSON')
        .option('-q, --quiet', 'no progress'),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon learn
  agon learn --dry-run
  agon learn --review && agon precedents list --state proposed
  agon learn --approve learnt-5be2a90c11d4
  agon learn --approve all
  agon learn --audit --limit 200
  agon learn --seat curator=openai:gpt-4o --run-budget-usd 2
`,
    )
    .action(async (flags: LearnFlags) => {
      const { learnCommand } = await import('../commands/learn.ts');
      process.exitCode = await learnCommand(flags);
    });
}
