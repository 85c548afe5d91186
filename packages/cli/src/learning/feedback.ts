import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import type { GivenFeedback } from '@agonhq/core/learning';
import { addExamples, setAction, addLedgerFlags } from '../define-command.ts';
import { readFileLines } from '../files.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

interface FeedbackFlags extends LedgerFlags {
  label?: string;
  why?: string;
  clause?: string;
  action?: string;
  by?: string;
  file?: string;
  json?: boolean;
}

/** `agon feedback` */
export function defineFeedback(command: Command): void {
  command
    .description('Record the correct verdict of past cases: of one case, or of a file of them.')
    .argument('[id]', 'id of the case, or its beginning')
    .option('--label <label>', 'correct verdict: safe or unsafe')
    .option('--why <text>', 'reason')
    .option('--clause <id>', 'clause that the content breaks, or only seems to break')
    .option(
      '--action <action>',
      'what is to be done: remove, restrict, label, warn, escalate, allow, or one of the policy (default: as it asks)',
    )
    .option('--by <name>', 'who decided (default: feedback)')
    .option(
      '--file <truths.jsonl>',
      'record many at once, one JSON object per line ("case" or "subject", "label", "why", "action"); - reads ' +
        'standard input',
    )
    .option('--json', 'print what was recorded as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon feedback mod-393886d5ac1c09ad --label safe --why "A line from a play."',
    'agon feedback mod-393886d5ac1c09ad --label unsafe --clause fraud.scam --action warn',
    'agon feedback --file truths.jsonl --by "trust team"',
  ]);
  setAction(command, recordFeedback);
}

async function recordFeedback(id: string | undefined, flags: FeedbackFlags): Promise<void> {
  const { file } = flags;
  const label = flags.label === 'safe' || flags.label === 'unsafe' ? flags.label : undefined;
  if ((id === undefined) === (file === undefined))
    throw badFlag(
      'Feedback needs either a case or --file.',
      'Write agon feedback ID --label safe, or agon feedback --file truths.jsonl.',
    );
  if (file !== undefined && (flags.label ?? flags.why ?? flags.clause ?? flags.action) !== undefined)
    throw badFlag(
      '--label, --why, --clause and --action cannot be combined with --file.',
      'Put them in the lines of the file.',
    );
  if (id !== undefined && label === undefined)
    throw badFlag('--label must be safe or unsafe.', 'Write --label safe or --label unsafe.');
  const { giveFeedback, importFeedback } = await import('@agonhq/core/learning');
  const { requireCase } = await import('@agonhq/core/retrials');
  const { withLedger } = await import('../open-ledger.ts');
  const { startLearning } = await import('./start-learning.ts');
  return withLedger(flags, async (ledger, { settings, jobs }) => {
    const { secondReview } = settings.server ?? {};
    if (id !== undefined && label !== undefined) {
      const given = await giveFeedback(
        jobs,
        ledger,
        {
          case: (await requireCase(ledger, id)).id,
          label,
          why: flags.why,
          clause: flags.clause,
          action: flags.action,
          by: flags.by,
        },
        { secondReview },
      );
      return printLines([flags.json ? JSON.stringify(given) : formatFeedback(given)]);
    }
    const given = await importFeedback(jobs, ledger, readFileLines(file!), {
      name: file === '-' ? 'standard input' : file!,
      by: flags.by,
      secondReview,
    });
    printLines(flags.json ? given.map((one) => JSON.stringify(one)) : renderFeedback(given));
    const started = given.some(({ right, repeated }) => !right && !repeated)
      ? await startLearning(settings, flags)
      : null;
    if (started) process.stderr.write(`${started}\n`);
  });
}

function formatFeedback({ case: id, label, verdict, right, action, proposed, repeated }: GivenFeedback): string {
  const said = right
    ? `the verdict ${label} was correct`
    : `the verdict ${verdict} was wrong, the case is ${label}. \`agon learn\` makes it a precedent`;
  const acted =
    action === null ? '' : ` Action: ${sanitize(action)}${action === proposed ? '' : formatProposed(proposed)}.`;
  return `${sanitize(id)}: ${said}.${acted}${repeated ? ' This was already on record.' : ''}`;
}

function formatProposed(proposed: string | null): string {
  return proposed === null ? '' : `, not ${sanitize(proposed)} as proposed`;
}

function renderFeedback(given: readonly GivenFeedback[]): string[] {
  const wrong = given.filter(({ right }) => !right);
  const repeated = given.filter((one) => one.repeated).length;
  return [
    `Recorded ${printCount(given.length, 'decision')}${repeated > 0 ? ` (${repeated} already on record)` : ''}: ` +
      `${given.length - wrong.length} verdicts were correct, ${wrong.length} wrong.`,
    ...wrong.slice(0, 20).map(({ case: id, verdict, label }) => `  ${sanitize(id)} was ${verdict} and is ${label}`),
    ...(wrong.length > 20 ? [`  and ${wrong.length - 20} more`] : []),
  ];
}
