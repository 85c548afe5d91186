import type { Command } from 'commander';
import { moderationJob } from '@agonhq/judges/moderation';
import { addExamples, setAction, addContentDataFlags, list } from '../define-command.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addBenchFlags, addScreenFlags } from './flags.ts';
import type { BenchPlanFlags, ContentDataFlags } from './plan-bench.ts';
import type { BenchRunFlags } from './run-bench.ts';
import type { ScreenFlags } from './screen-items.ts';

interface BenchFlags extends ContentDataFlags, BenchPlanFlags, BenchRunFlags {
  systems?: string[];
  by: string;
}

/** `agon bench moderation` */
export function defineBenchModeration(command: Command): void {
  command.description(
    'Measure moderation on labelled data: the debate, the debate without some of its parts, baselines and other ' +
      'systems side by side, with intervals, paired tests and what the debate adds.',
  );
  addContentDataFlags(command);
  addBenchFlags(command, { ablations: 'table3, table4, seats' })
    .option(
      '--systems <names>',
      'systems to measure; the others are compared with the first: full, guard, without-loose, judge, judge-4-shot, ' +
        'vote, role-free, control, refusal-match, llama-guard:provider:model, predictions:NAME=FILE, … (default: ' +
        'full; docs/bench.md lists all)',
      list,
    )
    .option('--by <field>', 'field for the table of categories', 'category');
  addSettingsFlags(command, { kind: 'bench', job: moderationJob });
  addExamples(command, [
    'agon bench moderation --data items.jsonl',
    'agon bench moderation --data items.jsonl --ablate table3 --report bench.html',
    'agon bench moderation --data items.jsonl --systems full,guard,refusal-match,predictions:ours=predictions.jsonl',
    'agon bench moderation --data items.jsonl --systems full,control,llama-guard:vllm:meta-llama/Llama-Guard-3-8B',
    'agon bench moderation --data comments.csv --map text=comment,label=is_toxic --fail-under f1=.85',
  ]);
  setAction(command, benchModeration);
}

async function benchModeration(flags: BenchFlags): Promise<number> {
  const { contentNames, makeBenchPlan, readDataNames, readDataSettings } = await import('./plan-bench.ts');
  const { runBench } = await import('./run-bench.ts');
  const settings = await readDataSettings(flags);
  const { plan, notes } = makeBenchPlan('moderation', flags, {
    settings,
    names: readDataNames(flags, contentNames),
    systems: flags.systems,
    set: {
      by: flags.by,
      preferImages: flags.vision === true,
      ...(flags.root === undefined ? {} : { root: flags.root }),
    },
  });
  return (await runBench(plan, flags, { settings, notes })).code;
}

/** `agon bench screen moderation` */
export function defineScreenModeration(command: Command): void {
  command.description('Flag content that systems judge differently from its label, or from each other.');
  addContentDataFlags(command);
  addScreenFlags(command).option(
    '--ledger <file>',
    'use the precedents of this ledger, except those of the data itself; nothing is written to it',
  );
  addSettingsFlags(command, { kind: 'bench', job: moderationJob });
  addExamples(command, [
    'agon bench screen moderation --data raw.jsonl --systems guard,full --flagged flagged.jsonl --agreed agreed.jsonl',
    'agon bench screen moderation --data raw.jsonl --systems full,judge:openai:gpt-4o --flagged flagged.jsonl --blind',
  ]);
  setAction(command, screenModeration);
}

async function screenModeration(flags: ScreenFlags & ContentDataFlags): Promise<void> {
  const { contentNames, readDataSettings } = await import('./plan-bench.ts');
  const { askAboutItems } = await import('./screen-items.ts');
  return askAboutItems('moderation', flags, await readDataSettings(flags), {
    names: contentNames,
    ...(flags.root === undefined ? {} : { root: flags.root }),
    preferImages: flags.vision === true,
  });
}
