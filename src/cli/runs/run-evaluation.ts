import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addCascadeFlags, addRunFlags, type RunFlags } from './flags.ts';

type Flags = RunFlags & { evaluatedModel?: string };

/** `agon run evaluation` */
export function define(command: Command): void {
  command.description('Judge exchanges (prompt and response) of a model: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "model", "prompt" and "response" or "messages", "label"; also promptfoo results and Inspect logs',
    map: 'response=answer',
    labels: 'hateful=unsafe,fine=safe',
    root: null,
  });
  command.option('--evaluated-model <name>', 'model that answered, for items that do not name it');
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: 'evaluation' });
  addExamples(command, [
    'agon run evaluation --file exchanges.jsonl --out results.jsonl',
    'agon run evaluation --file promptfoo-results.json --evaluated-model openai:gpt-5',
  ]);
  setAction(command, runEvaluation);
}

async function runEvaluation({ evaluatedModel, ...flags }: Flags): Promise<number> {
  const { evaluationJob } = await import('../../jobs/evaluation/index.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { runJob } = await import('./start-run.ts');
  return runJob(evaluationJob, flags, await readJobSettings(flags, { kind: 'run', job: evaluationJob.id }), {
    evaluatedModel,
  });
}
