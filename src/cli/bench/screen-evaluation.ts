import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addDataFlags } from '../flags.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { addScreenFlags } from './flags.ts';
import type { ScreenFlags } from './screen-items.ts';

/** `agon bench screen evaluation` */
export function define(command: Command): void {
  command.description('Flag exchanges that evaluators judge differently from their label, or from each other.');
  addDataFlags(command, {
    fields: '"id", "prompt" and "response" or "messages", optionally "label"',
    map: 'prompt=question,response=answer',
    labels: 'harmful=unsafe,fine=safe',
  });
  addScreenFlags(command);
  addSettingsFlags(command, { kind: 'bench', job: 'evaluation' });
  addExamples(command, [
    'agon bench screen evaluation --data exchanges.jsonl --systems debate,guard,pattern-match --flagged flagged.jsonl',
    'agon bench screen evaluation --data exchanges.jsonl --systems debate,judge:openai:gpt-5,judge:xai:grok-3 \\',
    '  --quorum 2 --flagged flagged.jsonl --out results.jsonl',
  ]);
  setAction(command, screenEvaluation);
}

async function screenEvaluation(flags: ScreenFlags & SettingsFlags): Promise<number> {
  const { readJobSettings } = await import('../read-settings.ts');
  const { exchangeNames } = await import('./plan-bench.ts');
  const { screenItems } = await import('./screen-items.ts');
  return screenItems('evaluation', flags, await readJobSettings(flags, { kind: 'bench', job: 'evaluation' }), {
    names: exchangeNames,
  });
}
