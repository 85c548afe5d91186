import type { Command } from 'commander';
import { addRecordFlags, choice, collect, list, positive } from '../define-command.ts';

/** For commands that measure systems on data that flags name. */
export function addBenchFlags(
  command: Command,
  { ablations, shots = true }: { ablations: string; shots?: boolean },
): Command {
  if (shots)
    command.option(
      '--shots <examples.jsonl>',
      'labelled examples that are not measured; judge-4-shot sees four of them',
    );
  return addBenchOutputFlags(
    command
      .option('--format <name>', 'format of the data; `agon bench datasets` lists them (default: detected)')
      .option('--ablate <names>', `measure the systems of an ablation: ${ablations}`, list)
      .option('--repeats <n>', 'judge everything n times, independently', positive, 1)
      .option('--seed <n>', 'seed for resamples and examples', positive, 1)
      .addOption(
        choice(
          '--invalid <rule>',
          'how undecided items count: error (our rule), or exclude (the rule of the paper, shown beside ours)',
          ['error', 'exclude'],
          'error',
        ),
      ),
  );
}

/** For commands that measure, whatever names the data. */
export function addBenchOutputFlags(command: Command): Command {
  return addBenchReportFlags(
    addRecordFlags(command).option(
      '--out <results.jsonl>',
      'write every judgement here; an interrupted bench resumes from this file',
    ),
  );
}

/** For commands that show figures. */
export function addBenchReportFlags(command: Command): Command {
  return command
    .option('--json', 'print the figures as JSON, one object per dataset')
    .option(
      '--report <file>',
      'write a report: .html, .md, .json, .xml (JUnit), .sarif, or "github" for annotations (repeatable)',
      collect,
    )
    .option(
      '--fail-under <metric=value>',
      'exit with code 3 if the first system misses this: f1=.85, guard:auc=.9, ece=.05 (at most) (repeatable)',
      collect,
    )
    .option('--no-times', 'leave times out of reports, so that the same judgements give the same bytes');
}

/** For commands that screen raw data. */
export function addScreenFlags(command: Command): Command {
  return command
    .option(
      '--systems <names>',
      'systems that judge, as in agon bench: guard, full, judge:provider:model, … (default: the configured one)',
      list,
    )
    .option(
      '--quorum <n>',
      'flag an item if this many systems contradict the label or each other, or do not decide',
      positive,
      1,
    )
    .option('--shots <examples.jsonl>', 'labelled examples for judge-4-shot')
    .requiredOption('--flagged <flagged.jsonl>', 'write the flagged items here, for people to vote on')
    .option('--agreed <agreed.jsonl>', 'write the other items here')
    .option('--blind', 'leave labels and judgements out of the flagged items, so that voters are not biased')
    .option('--key <flagged.key.jsonl>', 'write what --blind leaves out here (default: beside --flagged)')
    .option('--out <results.jsonl>', 'write every judgement here; an interrupted screening resumes from this file')
    .option('--json', 'print the figures as JSON');
}
