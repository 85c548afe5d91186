import { Option, type Command } from 'commander';
import { addConfigFlag, collect, list } from './flags.ts';

/* Flags that stand for settings. read-settings.ts turns their values into settings. */

/** For every command that debates. */
function addSeatFlags(command: Command, help: { debaters: string; seats: string }): Command {
  return addConfigFlag(command)
    .option('--model <provider:model>', 'model of every seat that has none of its own')
    .option('--debaters <provider:model>', `model of ${help.debaters}`)
    .option('--seat <seat=provider:model>', `model of one seat: ${help.seats} (repeatable)`, collect)
    .option('--cache <folder>', 'cache model answers in this folder; "ledger" caches them in the ledger')
    .option('--budget-usd <amount>', 'spend at most this much per item')
    .option('--run-budget-usd <amount>', 'spend at most this much in total');
}

/** For commands that judge by a policy. */
function addPolicyFlags(
  command: Command,
  help: { policy: boolean; fitted: string; debaters: string; seats: string },
): Command {
  if (help.policy) command.option('--policy <file>', 'policy to judge by (default: the policy that Agon ships)');
  command.option(
    '--calibration <file>',
    `calibration that ${help.fitted} made for this configuration; adds probabilities to verdicts`,
  );
  return addSeatFlags(command, help).option('--arbiter <provider:model>', 'model of the arbiter');
}

/** For commands that moderate. */
export function addModerationFlags(command: Command, { policy = true } = {}): Command {
  return addPolicyFlags(command, {
    policy,
    fitted: '`agon calibrate`',
    debaters: 'both debaters and the supporter',
    seats: 'supporter, strict-debater, loose-debater, …',
  })
    .addOption(
      new Option('--method <name>', 'how to judge: by debate, or by a baseline (default: debate)').choices([
        'debate',
        'judge',
        'guard',
        'vote',
        'role-free',
        'control',
        'refusal-match',
      ]),
    )
    .option('--judge <provider:model>', 'model of a single judge (default: the model of the arbiter)')
    .option('--preprocessor <provider:model>', 'model that describes images')
    .option('--preset <name>', 'paper: models, turn order and rounds of the paper, no early stop')
    .option('--rounds <n>', 'rounds of debate, 1 to 3 (default: 2)')
    .option('--turns <order>', 'together or alternate (default: together)')
    .option('--no-early-stop', 'debate all rounds, even when the sides agree')
    .option('--without <parts>', 'leave out parts: retrieval, supporter, strict, loose, debate', list)
    .option('--no-vision', 'do not ask a model to describe images')
    .option('--no-ocr', 'do not read text in images');
}

/** For commands that evaluate. The command itself adds the evaluator, rounds and agents: a bench takes several of each. */
export function addEvaluationFlags(command: Command): Command {
  return addPolicyFlags(command, {
    policy: true,
    fitted: '`agon bench evaluation --fit-calibration`',
    debaters: 'auditors and detectors that have none of their own',
    seats: 'auditor, detector#2, critic, judge, …',
  })
    .option('--auditor <provider:model,…>', 'models that look for explicit risks, one seat each, at most three', list)
    .option('--detector <provider:model,…>', 'models that look for implicit risks, one seat each, at most three', list)
    .option('--critic <provider:model>', 'model of the critic, ideally the strongest (default: that of the arbiter)')
    .option('--judge <provider:model>', 'model of a single judge (default: the model of the arbiter)')
    .option('--preset <name>', 'paper: models of the paper, all rounds')
    .option('--no-consensus', 'debate all rounds, even when nothing is disputed any more')
    .option('--reference <file>', 'reference distribution for equation 5, fitted on labelled data');
}

/** For commands that evaluate with one evaluator. */
export function addEvaluatorFlags(command: Command, evaluators: readonly string[]): Command {
  return command
    .addOption(new Option('--evaluator <name>', 'how to judge (default: debate)').choices(evaluators))
    .option('--rounds <n>', 'rounds of debate, 1 to 10 (default: 3)')
    .option('--agents <n>', 'auditors and detectors, 1 to 3 of each (default: one per model)');
}

/** For commands that analyze documents. */
export function addDocumentsFlags(command: Command): Command {
  return addSeatFlags(command, {
    debaters: 'the factor agent and both sides',
    seats: 'factor-agent, affirmative, dissenting, synthesizer',
  })
    .option('--factor-agent <provider:model>', 'model that finds the claims')
    .option('--affirmative <provider:model>', 'model that argues for a claim')
    .option('--dissenting <provider:model>', 'model that argues against a claim')
    .option('--synthesizer <provider:model>', 'model that judges the arguments, ideally the strongest')
    .option('--preset <name>', 'paper: models of the paper')
    .option('--retrieved <n>', 'blocks of the documents that each debate reads')
    .option('--no-ocr', 'do not read text in images and scanned pages');
}

/** How claims are found and judged. */
export function addClaimFlags(command: Command): Command {
  return command
    .option('--max-factors <n>', 'judge at most this many claims per analysis (default: 12)')
    .addOption(
      new Option('--method <name>', 'how to judge claims (default: debate)').choices([
        'debate',
        'single',
        'vote',
        'control',
        'zero-shot',
      ]),
    );
}

/** For commands that serve every job. */
export function addServiceFlags(command: Command, policy: string): Command {
  return command
    .option('--policy <file>', policy)
    .option('--model <provider:model>', 'model of every seat that has none of its own')
    .option('--debaters <provider:model>', 'model of the debaters of every job')
    .option('--arbiter <provider:model>', 'model of the arbiter')
    .option('--seat <seat=provider:model>', 'model of one seat (repeatable)', collect);
}

/** For commands that judge cases or carry out runs again: seats and plan are those on record. */
export function addSpendingFlags(command: Command, { item, total }: { item: string; total: string }): Command {
  return command.option('--budget-usd <amount>', item).option('--run-budget-usd <amount>', total);
}

/** How fast a run may go and what it may spend, beyond the budgets in US dollars. */
export function addLimitFlags(command: Command): Command {
  return command
    .option('--budget-tokens <n>', 'use at most this many tokens per item')
    .option('--run-budget-tokens <n>', 'use at most this many tokens in total')
    .option('--limit-concurrency <n>', 'concurrent calls to each model that has no limit of its own')
    .option('--requests-per-minute <n>', 'calls per minute to each such model, over all workers')
    .option('--tokens-per-minute <n>', 'tokens per minute to each such model, over all workers');
}
