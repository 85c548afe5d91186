import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addRunFlags, type RunFlags } from './flags.ts';

/** `agon run documents` */
export function define(command: Command): void {
  command.description('Judge the claims of many reports. The files of one item are analyzed together.');
  addRunFlags(command, {
    fields: '"id", "file" or "files" that belong together, "claims" of your own; or just one path per line',
    map: 'file=path',
    labels: 'good=positive,bad=negative',
    root: 'document',
  });
  addSettingsFlags(command, { kind: 'run', job: 'documents' });
  addExamples(command, [
    'agon run documents --file reports.jsonl --out results.jsonl',
    'ls reports/*.pdf | agon run documents --file -',
  ]);
  setAction(command, runDocuments);
}

async function runDocuments(flags: RunFlags): Promise<number> {
  const { documentsJob } = await import('../../jobs/documents/index.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const { runJob } = await import('./start-run.ts');
  return runJob(documentsJob, flags, await readJobSettings(flags, { kind: 'run', job: documentsJob.id }));
}
