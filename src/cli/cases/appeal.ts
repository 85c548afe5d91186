import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import { addExamples, setAction } from '../define-command.ts';
import { readStandardInput } from '../files.ts';
import { addRetrialFlags, collect } from '../flags.ts';
import type { RetrialFlags } from './hold-retrial.ts';

interface AppealFlags extends RetrialFlags {
  model?: string;
  statement?: string;
  stdin?: boolean;
}

/** `agon appeal ID` */
export function defineAppeal(command: Command): void {
  command
    .description(
      'Judge a past case anew, with other models and with a statement by the person concerned, and show both ' +
        'outcomes side by side. The statement is weighed but cannot convict; if it alone would change the verdict, a ' +
        'person has to review the case.',
    )
    .argument('<id>', 'id of the case, or its beginning')
    .option('--statement <text>', 'statement by the person concerned')
    .option('--stdin', 'read the statement from standard input')
    .option('--model <provider:model>', 'model of every seat that has none of its own')
    .option('--seat <seat=provider:model>', 'model of one seat (repeatable)', collect);
  addRetrialFlags(command);
  addExamples(command, [
    'agon appeal mod-3157 --statement "It is a line from a play."',
    'agon appeal mod-3157 --model anthropic:claude-sonnet-4-5 --stdin < letter.txt',
    'agon appeal eval-77c0 --seat arbiter=openai:gpt-5',
  ]);
  setAction(command, appealCase);
}

async function appealCase(id: string, flags: AppealFlags): Promise<number> {
  if (flags.statement !== undefined && flags.stdin)
    throw new AgonError('bad-flag', '--statement and --stdin cannot be combined.', 'Use one of them.');
  const { appeal, requireJudgedCase } = await import('../../retrials/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  const { readSeats } = await import('../read-settings.ts');
  const { holdRetrial } = await import('./hold-retrial.ts');
  const { default: model, ...seats } = readSeats(flags);
  const statement = flags.stdin ? await readStandardInput() : flags.statement;
  return withLedger(flags, async (ledger, settings) => {
    const record = await requireJudgedCase(ledger, id);
    return holdRetrial(record, flags, (options) =>
      appeal(ledger, record.id, { ...options, settings, statement, model, seats }),
    );
  });
}
