import type { Command } from 'commander';
import { documentsJob } from '@agonhq/documents';
import { addExamples, setAction, addDataFlags, list } from '../define-command.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addBenchFlags } from './flags.ts';
import type { BenchPlanFlags, DataFlags } from './plan-bench.ts';
import type { BenchRunFlags } from './run-bench.ts';

interface BenchFlags extends DataFlags, SettingsFlags, BenchPlanFlags, BenchRunFlags {
  root?: string;
  systems?: string[];
}

/** `agon bench documents` */
export function defineBenchDocuments(command: Command): void {
  command.description(
    'Measure the analysis of documents on labelled claims: accuracy, macro-F1, balanced accuracy, citation precision ' +
      'and recall, with intervals and paired tests.',
  );
  addDataFlags(command, {
    fields: '"id", "label", "claim" and "doc" or "doc_text", optionally "evidence_ids"',
    map: 'claim=statement,doc=file',
    labels: 'yes=entailed,no=refuted',
  });
  addBenchFlags(command, { ablations: 'seats', shots: false })
    .option('--root <folder>', "folder that document paths are relative to (default: the file's folder)")
    .option(
      '--systems <names>',
      'systems to measure: full, single, zero-shot, vote, control, predictions:NAME=FILE (default: full)',
      list,
    );
  addSettingsFlags(command, { kind: 'bench', job: documentsJob });
  addExamples(command, [
    'agon bench documents --data claims.jsonl',
    'agon bench documents --data claims.jsonl --root reports --systems full,single,zero-shot --out results.jsonl',
    'agon bench documents --data claims.jsonl --map claim=statement --map-label yes=entailed,no=refuted --json',
  ]);
  setAction(command, benchDocuments);
}

const names = {
  fields: ['id', 'label', 'claim', 'doc', 'doc_text', 'evidence_ids', 'category', 'raters'],
  meanings: ['entailed', 'refuted', 'neutral'],
  example: 'yes=entailed,no=refuted',
};

async function benchDocuments(flags: BenchFlags): Promise<number> {
  const { readJobSettings } = await import('../read-settings.ts');
  const { makeBenchPlan, readDataNames } = await import('./plan-bench.ts');
  const { runBench } = await import('./run-bench.ts');
  const { settings } = await readJobSettings(flags, { kind: 'bench', job: documentsJob });
  const { plan, notes } = makeBenchPlan('documents', flags, {
    settings,
    names: readDataNames(flags, names),
    systems: flags.systems,
    set: flags.root === undefined ? {} : { root: flags.root },
  });
  return (await runBench(plan, flags, { settings, notes })).code;
}
