import type { Command } from 'commander';
import type { ScreenEvaluationFlags, ScreenModerationFlags, ScreenResolveFlags } from '../commands/bench-screen.ts';
import { collect, list, positive, withContent, withData, withEvaluation, withModeration } from '../option-groups.ts';

export function addBenchScreen(bench: Command): void {
  const screen = bench
    .command('screen')
    .summary('sort out the items that people should look at')
    .description(
      "Difficulty screening and arbitration, as the paper's data was made: several systems judge raw data, what " +
        'they diverge on goes to people, and comes back with their votes.',
    );

  withModeration(
    withScreening(
      withContent(
        screen
          .command('moderation')
          .description('Flag content that systems do not judge as it is labelled, or not alike.'),
      ),
    ).option(
      '--ledger <file>',
      'draw on the precedents of this ledger, but for those of the data itself; nothing is written to it',
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench screen moderation --data raw.jsonl --systems guard,full --flagged flagged.jsonl --agreed agreed.jsonl
  agon bench screen moderation --data raw.jsonl --systems full,judge:openai:gpt-4o,judge:xai:grok-3 --flagged flagged.jsonl --blind --out results.jsonl
`,
    )
    .action(async (flags: ScreenModerationFlags) => {
      const { screenModerationCommand } = await import('../commands/bench-screen.ts');
      process.exitCode = await screenModerationCommand(flags);
    });

  withEvaluation(
    withScreening(
      withData(
        screen
          .command('evaluation')
          .description('Flag exchanges that evaluators do not judge as they are labelled, or not alike.'),
        {
          fields: '"id", "prompt" and "response" or "messages", and if known "label"',
          map: 'prompt=question,response=answer',
          labels: 'harmful=unsafe,fine=safe',
        },
      ),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench screen evaluation --data exchanges.jsonl --systems debate,guard,pattern-match --flagged flagged.jsonl
  agon bench screen evaluation --data exchanges.jsonl --systems debate,judge:openai:gpt-5,judge:xai:grok-3 --quorum 2 --flagged flagged.jsonl --out results.jsonl
`,
    )
    .action(async (flags: ScreenEvaluationFlags) => {
      const { screenEvaluationCommand } = await import('../commands/bench-screen.ts');
      process.exitCode = await screenEvaluationCommand(flags);
    });

  screen
    .command('resolve')
    .description(
      'Count the votes on flagged items: the labels that people decided, how far they agreed, and what is still open.',
    )
    .argument('<flagged.jsonl>', 'the items that were put to people')
    .requiredOption(
      '--votes <votes.jsonl>',
      'votes, one JSON object a line ("id", "rater", "label", "reason"), or .csv with these columns; without a ' +
        'rater, the file is called by theirs; may be given several times',
      collect,
    )
    .requiredOption('--out <decided.jsonl>', 'where the decided items go, labelled data for agon bench')
    .option('--key <flagged.key.jsonl>', 'what --blind hid')
    .option('--open <open.jsonl>', 'where the items go that are still open, as they were asked')
    .option('--at-least <n>', 'how many votes an item needs (default: one of every rater)', positive)
    .option('--map-label <value=label,…>', 'what the labels of the votes mean: risky=unsafe,fine=safe', list)
    .option('--json', 'print the figures as JSON')
    .addHelpText(
      'after',
      `
Examples:
  agon bench screen resolve flagged.jsonl --votes ada.jsonl --votes ben.csv --key flagged.key.jsonl --out decided.jsonl
  agon bench moderation --data decided.jsonl
`,
    )
    .action(async (flagged: string, flags: ScreenResolveFlags) => {
      const { screenResolveCommand } = await import('../commands/bench-screen.ts');
      process.exitCode = await screenResolveCommand(flagged, flags);
    });
}

/** The flags of both screenings. */
function withScreening(command: Command): Command {
  return command
    .option(
      '--systems <names>',
      'who judges, as in agon bench: guard, full, judge:provider:model, … (default: the configuration as it is)',
      list,
    )
    .option(
      '--quorum <n>',
      'how many systems must diverge from the label or from each other, or say nothing',
      positive,
      1,
    )
    .option('--shots <examples.jsonl>', 'labelled examples for judge-4-shot')
    .requiredOption('--flagged <flagged.jsonl>', 'where the flagged items go, for people to vote on')
    .option('--agreed <agreed.jsonl>', 'where the others go')
    .option('--blind', 'leave labels and what the systems said out of the flagged items, so that nobody is led')
    .option('--key <flagged.key.jsonl>', 'where --blind puts what it leaves out (default: beside --flagged)')
    .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
    .option('--json', 'print the figures as JSON');
}
