import { Option, type Command } from 'commander';
import { collect, list, positive, withRecord } from '../../option-groups.ts';

/** The flags of every command that measures systems on data named by flags. */
export function withBench(
  command: Command,
  { ablations, shots = true }: { ablations: string; shots?: boolean },
): Command {
  if (shots)
    command.option(
      '--shots <examples.jsonl>',
      'labelled examples that are not measured: judge-4-shot is shown four of them',
    );
  return withBenchOutput(
    command
      .option(
        '--format <name>',
        'what kind of file the data is: `agon bench datasets` lists them (default: recognised)',
      )
      .option('--ablate <names>', `the systems of an ablation: ${ablations}`, list)
      .option('--repeats <n>', 'judge everything so many times, each time anew', positive, 1)
      .option('--seed <n>', 'what is drawn by lot follows from it: resamples and examples', positive, 1)
      .addOption(
        new Option(
          '--invalid <rule>',
          "what items that nobody decided count as: errors (ours), or nothing (the paper's rule, beside ours)",
        )
          .choices(['error', 'exclude'])
          .default('error'),
      ),
  );
}

/** The flags of every command that measures, whatever names its data. */
export function withBenchOutput(command: Command): Command {
  return withBenchReports(
    withRecord(command).option(
      '--out <results.jsonl>',
      'keep every judgement there; a run that was stopped goes on from there',
    ),
  );
}

/** The flags of every command that shows figures. */
export function withBenchReports(command: Command): Command {
  return command
    .option('--json', 'print the figures as JSON, one object for each set of data')
    .option(
      '--report <file>',
      'write a report: .html, .md, .json, .xml (JUnit), or "github" for annotations; may be given several times',
      collect,
    )
    .option(
      '--fail-under <metric=value>',
      'exit with 3 where the first system misses it: f1=.85, guard:auc=.9, ece=.05 (at most); may be given ' +
        'several times',
      collect,
    )
    .option('--no-times', 'leave times out of reports: the same judgements then give the same bytes');
}
