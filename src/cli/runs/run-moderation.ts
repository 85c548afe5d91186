import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addCascadeFlags, addRunFlags, type RunFlags } from './flags.ts';

/** `agon run moderation` */
export function define(command: Command): void {
  command.description('Judge texts and images: safe, unsafe or undecided.');
  addRunFlags(command, {
    fields: '"id", "text", "image", "image_description", "label"',
    map: 'text=comment,label=is_toxic',
    labels: 'hateful=unsafe,fine=safe',
    root: 'image',
  });
  addCascadeFlags(command);
  addSettingsFlags(command, { kind: 'run', job: 'moderation' });
  addExamples(command, [
    'agon run moderation --file items.jsonl --out results.jsonl',
    'agon run moderation --file comments.csv --map text=comment,label=is_toxic --cascade',
    'agon run moderation --file items.jsonl --model openai:gpt-4o-mini --estimate 100',
  ]);
  setAction(command, runModeration);
}

async function runModeration(flags: RunFlags): Promise<number> {
  const { moderationJob } = await import('../../jobs/moderation/index.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { runJob } = await import('./start-run.ts');
  return runJob(moderationJob, flags, await readJobSettings(flags, { kind: 'run', job: moderationJob.id }));
}
