import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addContentDataFlags } from '../flags.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addScreenFlags } from './flags.ts';
import type { ContentDataFlags } from './plan-bench.ts';
import type { ScreenFlags } from './screen-items.ts';

/** `agon bench screen moderation` */
export function define(command: Command): void {
  command.description('Flag content that systems judge differently from its label, or from each other.');
  addContentDataFlags(command);
  addScreenFlags(command).option(
    '--ledger <file>',
    'use the precedents of this ledger, except those of the data itself; nothing is written to it',
  );
  addSettingsFlags(command, { kind: 'bench', job: 'moderation' });
  addExamples(command, [
    'agon bench screen moderation --data raw.jsonl --systems guard,full --flagged flagged.jsonl --agreed agreed.jsonl',
    'agon bench screen moderation --data raw.jsonl --systems full,judge:openai:gpt-4o --flagged flagged.jsonl --blind',
  ]);
  setAction(command, screenModeration);
}

async function screenModeration(flags: ScreenFlags & ContentDataFlags): Promise<number> {
  const { contentNames, readDataSettings } = await import('./plan-bench.ts');
  const { screenItems } = await import('./screen-items.ts');
  return screenItems('moderation', flags, await readDataSettings(flags), {
    names: contentNames,
    ...(flags.root === undefined ? {} : { root: flags.root }),
    preferImages: flags.vision === true,
  });
}
