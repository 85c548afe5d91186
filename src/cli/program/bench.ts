import { Option, type Command } from 'commander';
import type { BenchLearningFlags } from '../commands/bench-learning.ts';
import { collect, positive, withContent, withModeration } from '../option-groups.ts';
import { addBenchDatasets } from './bench-datasets.ts';
import { addBenchScreen } from './bench-screen.ts';
import { addBenchDocuments, addBenchEvaluation, addBenchModeration } from './bench/measuring.ts';
import { addBenchRecords, addBenchRun } from './bench/record.ts';

export function addBench(program: Command): void {
  const bench = program
    .command('bench')
    .summary('measure systems on labelled data')
    .description('Measure systems on labelled data, side by side, with intervals and controls.');
  addBenchModeration(bench);
  addBenchEvaluation(bench);
  addBenchDocuments(bench);
  addBenchRun(bench);
  addBenchRecords(bench);
  addBenchDatasets(bench);
  addBenchScreen(bench);
  addBenchLearning(bench);
}

function addBenchLearning(bench: Command): void {
  withModeration(
    withContent(
      bench
        .command('learning')
        .description(
          "Aetheria's experiment of continuous learning: batch after batch judged without memory and with what " +
            'was learnt from the batches before, from an empty library on; F1 with bootstrap intervals.',
        ),
    )
      .option('--batches <n>', 'how many batches', positive, 4)
      .addOption(
        new Option('--mode <mode>', "what is learnt from: every item (the paper's experiment) or mistakes alone")
          .choices(['all', 'failures'])
          .default('all'),
      )
      .option('--seed <n>', 'which items go into which batch', positive, 1)
      .option(
        '--repeats <n>',
        'the whole experiment so many times, each with the next seed; figures are means',
        positive,
        1,
      )
      .option('--json', 'print the figures as JSON, one object for each --data')
      .option('--report <file>', 'write table and chart: .html, .md or .json; may be given several times', collect),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench learning --data items.jsonl --batches 4
  agon bench learning --data items.jsonl --mode failures --repeats 5 --report learning.html
`,
    )
    .action(async (flags: BenchLearningFlags) => {
      const { benchLearningCommand } = await import('../commands/bench-learning.ts');
      process.exitCode = await benchLearningCommand(flags);
    });
}
