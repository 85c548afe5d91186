import type { Command } from 'commander';
import type { AppealFlags, ReplayFlags } from '../commands/retrials.ts';
import type { ShowFlags } from '../commands/show.ts';
import { collect, withLedger } from '../option-groups.ts';

/** Looking at a case of the ledger, and holding it again. */
export function addRetrials(program: Command): void {
  withLedger(
    program
      .command('show')
      .summary('show a past case: its trial, verdict, decisions and retrials')
      .description(
        'Show a case from the ledger as it was shown when it was judged, with what was decided about it since and ' +
          'the trials that held it again.',
      )
      .argument('<id>', 'the id at the end of its verdict, or how it begins')
      .option('--json', 'print the case as JSON: the answer, decisions, retrials')
      .option(
        '--report <file>',
        'write the report of its answer: .html, .md or .json, "notice"; may be given several times',
        collect,
      )
      .option('-q, --quiet', 'the verdict alone')
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon show mod-315703c5ee85a07c\n  agon show mod-3157 --report case.html\n  agon show ' +
        'mod-3157 --report answer.json && agon verify answer.json\n',
    )
    .action(async (id: string, flags: ShowFlags) => {
      const { showCommand } = await import('../commands/show.ts');
      process.exitCode = await showCommand(id, flags);
    });

  withReach(
    program
      .command('replay')
      .summary('hold a past trial again with one thing changed')
      .description(
        'Hold the trial of a case again with one thing changed, or none: what the change does not touch is ' +
          'recalled, the rest is argued anew, and both outcomes are held side by side.',
      )
      .argument('<id>', 'the id at the end of its verdict, or how it begins')
      .option('--without-precedent <id>', 'without this precedent; may be given several times', collect)
      .option('--policy <file>', 'under this policy')
      .option('--seat <seat=provider:model>', 'with this model in a seat; may be given several times', collect),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon replay mod-315703c5ee85a07c\n  agon replay mod-3157 --without-precedent seed-0062\n  ' +
        'agon replay mod-3157 --policy stricter.yaml\n  agon replay mod-3157 --seat arbiter=openai:gpt-5\n',
    )
    .action(async (id: string, flags: ReplayFlags) => {
      const { replayCommand } = await import('../commands/retrials.ts');
      process.exitCode = await replayCommand(id, flags);
    });

  withReach(
    program
      .command('appeal')
      .summary('hear a past case anew, before other seats')
      .description(
        'Hear a case anew, before other seats than the first time and with what the person concerned says; both ' +
          'outcomes side by side. The statement is weighed, cannot convict, and on its word alone a person looks at ' +
          'the case.',
      )
      .argument('<id>', 'the id at the end of its verdict, or how it begins')
      .option('--statement <text>', 'what the person concerned says')
      .option('--stdin', 'read the statement from standard input')
      .option('--model <provider:model>', 'who hears it, in every seat that is not named')
      .option('--seat <seat=provider:model>', 'who hears it in one seat; may be given several times', collect),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon appeal mod-3157 --statement "It is a line from a play."\n  agon appeal mod-3157 ' +
        '--model anthropic:claude-sonnet-4-5 --stdin < letter.txt\n  agon appeal eval-77c0 --seat ' +
        'arbiter=openai:gpt-5\n',
    )
    .action(async (id: string, flags: AppealFlags) => {
      const { appealCommand } = await import('../commands/retrials.ts');
      process.exitCode = await appealCommand(id, flags);
    });
}

/** How models are reached, and what it may cost; seats and plan are those on record. */
function withReach(command: Command): Command {
  return withLedger(command)
    .option(
      '--config <file>',
      'a configuration file, for how models are reached (default: agon.config.ts, .js, .json or .yaml here)',
    )
    .option('--cache <folder>', 'keep answers there and ask nothing twice')
    .option('--budget-usd <amount>', 'at most this much')
    .option('--json', 'print both outcomes, what moved and the new answer as JSON')
    .option('-q, --quiet', 'no progress, no live view');
}
