import type { Command } from 'commander';
import type { BenchDocumentsFlags } from '../../commands/bench-documents.ts';
import type { BenchEvaluationFlags } from '../../commands/bench-evaluation.ts';
import type { BenchFlags } from '../../commands/bench.ts';
import {
  amount,
  list,
  withContent,
  withData,
  withDocuments,
  withEvaluation,
  withModeration,
} from '../../option-groups.ts';
import { withBench } from './options.ts';

export function addBenchModeration(bench: Command): void {
  withModeration(
    withBench(
      withContent(
        bench
          .command('moderation')
          .description(
            'Measure moderation: the debate, the debate without a part, baselines and systems of others side by ' +
              'side, with intervals, paired tests and what the debate added.',
          ),
      ),
      { ablations: 'table3, table4, seats' },
    )
      .option(
        '--systems <names>',
        'what is measured, the first being what the others are compared with: full, guard, without-loose, judge, ' +
          'judge-4-shot, vote, role-free, control, refusal-match, llama-guard:provider:model, ' +
          'predictions:NAME=FILE, … (default: full; docs/bench.md has all)',
        list,
      )
      .option('--by <field>', 'the field of the table of categories', 'category'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench moderation --data items.jsonl
  agon bench moderation --data items.jsonl --ablate table3 --report bench.html
  agon bench moderation --data items.jsonl --systems full,guard,refusal-match,predictions:ours=predictions.jsonl --report bench.md
  agon bench moderation --data items.jsonl --systems full,control,llama-guard:vllm:meta-llama/Llama-Guard-3-8B --repeats 3
  agon bench moderation --data comments.csv --map text=comment,label=is_toxic --fail-under f1=.85 --report junit.xml
`,
    )
    .action(async (flags: BenchFlags) => {
      const { benchModerationCommand } = await import('../../commands/bench.ts');
      process.exitCode = await benchModerationCommand(flags);
    });
}

export function addBenchEvaluation(bench: Command): void {
  withEvaluation(
    withBench(
      withData(
        bench
          .command('evaluation')
          .description(
            'Measure evaluators side by side: the tables and figures of the RADAR paper, with intervals, paired ' +
              'tests and what the debate added.',
          ),
        {
          fields: '"id", "label", "prompt" and "response" or "messages", and if known "model", "risk", "behaviour"',
          map: 'prompt=question,response=answer',
          labels: 'harmful=unsafe,fine=safe',
        },
      ),
      { ablations: 'radar, rounds, seats' },
    )
      .option(
        '--evaluators, --systems <names>',
        'who is measured, the first being what the others are compared with: debate, vote, role-free, control, ' +
          'judge, judge:provider:model, judge-4-shot, guard, prefix-match, pattern-match, ' +
          'harmbench-cls:provider:model, predictions:NAME=FILE, … (default: debate)',
        list,
      )
      .option('--rounds <numbers>', 'rounds of debate, each a debate of its own: 3, 2,4 or 2..5')
      .option('--agents <numbers>', 'auditors and detectors, each a debate of its own: 1, 1,3 or 1..3')
      .option(
        '--delta <nats>',
        'δ of equation 2: from which divergence on two evaluators are biased relative to each other',
        amount,
      )
      .option('--gamma <share>', 'γ of equation 3: from which difference on a judge spares its own family', amount)
      .option(
        '--fit-reference <reference.json>',
        'fit the reference of equation 5 on what the critic of the first debate states, and write it there',
      )
      .option(
        '--fit-calibration <calibration.json>',
        'fit what makes probabilities of the scores of the first debate, or of the only evaluator, and write it there',
      ),
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
    .action(async (flags: BenchEvaluationFlags & { systems?: string[] }) => {
      const { benchEvaluationCommand } = await import('../../commands/bench-evaluation.ts');
      process.exitCode = await benchEvaluationCommand({ ...flags, evaluators: flags.evaluators ?? flags.systems });
    });
}

export function addBenchDocuments(bench: Command): void {
  withDocuments(
    withBench(
      withData(
        bench
          .command('documents')
          .description(
            'Measure the analysis of documents on labelled claims: accuracy, macro-F1, balanced accuracy, ' +
              'citation precision and recall, with intervals and paired tests.',
          ),
        {
          fields: '"id", "label", "claim" and "doc" or "doc_text", and if known "evidence_ids"',
          map: 'claim=statement,doc=file',
          labels: 'yes=entailed,no=refuted',
        },
      ),
      { ablations: 'seats', shots: false },
    )
      .option('--root <folder>', "what paths of documents are relative to (default: the file's folder)")
      .option(
        '--systems <names>',
        'what is measured: full, single, zero-shot, vote, control, predictions:NAME=FILE (default: full)',
        list,
      ),
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
      const { benchDocumentsCommand } = await import('../../commands/bench-documents.ts');
      process.exitCode = await benchDocumentsCommand(flags);
    });
}
