import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { collect, list, positive } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { readNames } from '../read-flags.ts';
import { printLines, printNote } from '../terminal/style.ts';

interface ResolveFlags {
  votes: string[];
  key?: string;
  out: string;
  open?: string;
  atLeast?: number;
  mapLabel?: string[];
  json?: boolean;
}

/** `agon bench screen resolve FLAGGED` */
export function defineScreenResolve(command: Command): void {
  command
    .description(
      'Count the votes on flagged items: the labels that people chose, how far they agreed, and what is open.',
    )
    .argument('<flagged.jsonl>', 'the items that people voted on')
    .requiredOption(
      '--votes <votes.jsonl>',
      'votes, one JSON object per line ("id", "rater", "label", "reason"), or .csv with these columns; without a ' +
        '"rater", the name of the file counts (repeatable)',
      collect,
    )
    .requiredOption('--out <decided.jsonl>', 'write the decided items here, as labelled data for agon bench')
    .option('--key <flagged.key.jsonl>', 'what --blind left out')
    .option('--open <open.jsonl>', 'write the undecided items here, as they were asked')
    .option('--at-least <n>', 'votes that an item needs (default: one from every rater)', positive)
    .option('--map-label <value=label,…>', 'meaning of the labels in the votes: risky=unsafe,fine=safe', list)
    .option('--json', 'print the figures as JSON');
  addExamples(command, [
    'agon bench screen resolve flagged.jsonl --votes ada.jsonl --votes ben.csv --out decided.jsonl',
    'agon bench screen resolve flagged.jsonl --votes ada.jsonl --key flagged.key.jsonl --out decided.jsonl',
    'agon bench moderation --data decided.jsonl',
  ]);
  setAction(command, resolveVotes);
}

async function resolveVotes(flagged: string, flags: ResolveFlags): Promise<number> {
  const { resolveScreening } = await import('../../bench/index.ts');
  const { assertDistinct } = await import('./screen-items.ts');
  const { renderResolved } = await import('./show-screening.ts');
  const { key, out, open, atLeast } = flags;
  assertDistinct({
    flagged,
    key,
    out,
    open,
    ...Object.fromEntries(flags.votes.map((file, index) => [`votes ${index + 1}`, file])),
  });
  const { labels } = readNames(flags, ['id', 'rater', 'label', 'reason'], {
    meanings: ['safe', 'unsafe'],
    example: 'risky=unsafe,fine=safe',
  });
  const report = await resolveScreening(
    {
      flagged,
      votes: flags.votes,
      labels,
      ...(key === undefined ? {} : { key }),
      ...(atLeast === undefined ? {} : { atLeast }),
      files: { out, ...(open === undefined ? {} : { open }) },
    },
    ({ file, line, message }) => printNote(`${file}, line ${line}: ${message}`),
  );
  if (flags.json) printLines([JSON.stringify(report)]);
  else printLines(renderResolved(report));
  return exitCodes.judged;
}
