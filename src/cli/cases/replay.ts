import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addRetrialFlags, collect } from '../flags.ts';
import type { RetrialFlags } from './hold-retrial.ts';

interface ReplayFlags extends RetrialFlags {
  withoutPrecedent?: string[];
  policy?: string;
}

/** `agon replay ID` */
export function defineReplay(command: Command): void {
  command
    .description(
      'Judge a past case again with one thing changed, or nothing. Turns that the change does not affect are ' +
        'recalled, the rest is debated again, and both outcomes are shown side by side.',
    )
    .argument('<id>', 'id of the case, or its beginning')
    .option('--without-precedent <id>', 'without this precedent (repeatable)', collect)
    .option('--policy <file>', 'under this policy')
    .option('--seat <seat=provider:model>', 'with this model in a seat (repeatable)', collect);
  addRetrialFlags(command);
  addExamples(command, [
    'agon replay mod-315703c5ee85a07c',
    'agon replay mod-3157 --without-precedent seed-0062',
    'agon replay mod-3157 --policy stricter.yaml',
    'agon replay mod-3157 --seat arbiter=openai:gpt-5',
  ]);
  setAction(command, replayCase);
}

async function replayCase(id: string, flags: ReplayFlags): Promise<number> {
  const given = [
    flags.withoutPrecedent && '--without-precedent',
    flags.policy && '--policy',
    flags.seat && '--seat',
  ].filter((flag) => typeof flag === 'string');
  if (given.length > 1) {
    throw new AgonError(
      'bad-flag',
      `${given.join(' and ')} cannot be combined.`,
      'Change one thing at a time, to see what flips the verdict.',
    );
  }
  const { loadPolicy } = await import('../../policy/index.ts');
  const { requireJudgedCase, replay } = await import('../../retrials/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  const { readSeats } = await import('../read-settings.ts');
  const { holdRetrial } = await import('./hold-retrial.ts');
  const policy = flags.policy === undefined ? undefined : await loadPolicy(flags.policy);
  const seats = readSeats({ seat: flags.seat });
  return withLedger(flags, async (ledger, settings) => {
    const record = await requireJudgedCase(ledger, id);
    return holdRetrial(record, flags, (options) =>
      replay(ledger, record.id, { withoutPrecedent: flags.withoutPrecedent, policy, seats }, { ...options, settings }),
    );
  });
}
