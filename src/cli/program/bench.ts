import { Option, type Command } from 'commander';
import type { BenchEvaluationFlags } from '../commands/bench-evaluation.ts';
import type { BenchFlags } from '../commands/bench.ts';
import type { BenchLearningFlags } from '../commands/bench-learning.ts';
import type { BenchDocumentsFlags } from '../commands/bench-documents.ts';
import { amount, collect, list, positive, withContent, withData, withDocuments, withEvaluation, withModeration } from '../option-groups.ts';

export function addBench(program: Command): void {
  const bench = program.command('bench').summary('measure a configuration on labelled data').description('Measure a configuration on labelled data.');

  withModeration(
    withContent(bench.command('moderation').description('Measure moderation: accuracy, F1 and more, with bootstrap intervals, for the whole debate and for the debate without a part.'))
      .option('--systems <names>', 'what is measured, the first being what the others are compared with: full, guard, without-precedents, without-loose, without-strict, … (default: full)', list)
      .option('--by <field>', 'the field of the table of categories', 'category')
      .option('--ledger <file>', 'draw on the precedents of this ledger, but for those of the data itself; nothing is written to it')
      .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
      .option('--json', 'print the figures as JSON, one object for each --data'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench moderation --data items.jsonl
  agon bench moderation --data items.jsonl --systems full,without-loose,without-strict --out results.jsonl
  agon bench moderation --data items.jsonl --systems full,without-precedents --ledger ledger.sqlite
  agon bench moderation --data comments.jsonl --map text=comment,label=is_toxic --json
`,
    )
    .action(async (flags: BenchFlags) => {
      const { benchModerationCommand } = await import('../commands/bench.ts');
      process.exitCode = await benchModerationCommand(flags);
    });

  withEvaluation(
    withData(
      bench.command('evaluation').description('Measure evaluators side by side: the tables and figures of the RADAR paper, with bootstrap intervals.'),
      { fields: '"id", "label", "prompt" and "response" or "messages", and if known "model", "risk", "behaviour"', map: 'prompt=question,response=answer', labels: 'harmful=unsafe,fine=safe' },
    )
      .option('--evaluators <names>', 'who is measured, the first being what the others are compared with: debate, vote, role-free, control, judge, judge:provider:model, guard, prefix-match, pattern-match (default: debate)', list)
      .option('--rounds <numbers>', 'rounds of debate, each a debate of its own: 3, 2,4 or 2..5')
      .option('--agents <numbers>', 'auditors and detectors, each a debate of its own: 1, 1,3 or 1..3')
      .option('--repeats <n>', 'judge everything so many times, each time anew', positive, 1)
      .option('--delta <nats>', 'δ of equation 2: from which divergence on two evaluators are biased relative to each other', amount)
      .option('--gamma <share>', 'γ of equation 3: from which difference on a judge spares its own family', amount)
      .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
      .option('--json', 'print the figures as JSON, one object for each --data')
      .option('--report <file>', 'write tables and charts: .html, .md or .json; may be given several times', collect)
      .option('--fit-reference <reference.json>', 'fit the reference of equation 5 on what the critic of the first debate states, and write it there')
      .option('--fit-calibration <calibration.json>', 'fit what makes probabilities of the scores of the first debate, or of the only evaluator, and write it there'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench evaluation --data exchanges.jsonl
  agon bench evaluation --data exchanges.jsonl --evaluators debate,vote,role-free,guard,pattern-match --report bench.html
  agon bench evaluation --data exchanges.jsonl --rounds 2..5 --agents 1..3 --repeats 3 --out results.jsonl
  agon bench evaluation --data exchanges.jsonl --evaluators debate,judge:openai:gpt-5,judge:xai:grok-3 --report bench.md
  agon bench evaluation --data exchanges.jsonl --fit-calibration calibration.json
`,
    )
    .action(async (flags: BenchEvaluationFlags) => {
      const { benchEvaluationCommand } = await import('../commands/bench-evaluation.ts');
      process.exitCode = await benchEvaluationCommand(flags);
    });

  withDocuments(
    withData(
      bench.command('documents').description('Measure the analysis of documents on labelled claims: accuracy, macro-F1, balanced accuracy, citation precision and recall, with bootstrap intervals.'),
      { fields: '"id", "label", "claim" and "doc" or "doc_text", and if known "evidence_ids"', map: 'claim=statement,doc=file', labels: 'yes=entailed,no=refuted' },
    )
      .option('--root <folder>', "what paths of documents are relative to (default: the file's folder)")
      .option('--systems <names>', 'what is measured: full, single, zero-shot (default: full)', list)
      .option('--out <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there')
      .option('--json', 'print the figures as JSON, one object for each --data'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench documents --data claims.jsonl
  agon bench documents --data claims.jsonl --root reports --systems full,single,zero-shot --out results.jsonl
  agon bench documents --data claims.jsonl --map claim=statement --map-label yes=entailed,no=refuted --json
`,
    )
    .action(async (flags: BenchDocumentsFlags) => {
      const { benchDocumentsCommand } = await import('../commands/bench-documents.ts');
      process.exitCode = await benchDocumentsCommand(flags);
    });

  withModeration(
    withContent(bench.command('learning').description("Aetheria's experiment of continuous learning: batch after batch judged without memory and with what was learnt from the batches before, from an empty library on; F1 with bootstrap intervals."))
      .option('--batches <n>', 'how many batches', positive, 4)
      .addOption(new Option('--mode <mode>', "what is learnt from: every item (the paper's experiment) or mistakes alone").choices(['all', 'failures']).default('all'))
      .option('--seed <n>', 'which items go into which batch', positive, 1)
      .option('--repeats <n>', 'the whole experiment so many times, each with the next seed; figures are means', positive, 1)
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
