import { AgonError } from '../../errors.ts';
import { giveFeedback, importFeedback, type GivenFeedback } from '../../learning/index.ts';
import { caseOnRecord } from '../../retrials/index.ts';
import { exitCodes } from '../print-error.ts';
import { readLines } from '../read-input.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { startLearning } from '../learning/start-learning.ts';
import { sanitize, printLines } from '../terminal/style.ts';

export interface FeedbackFlags extends LedgerFlags {
  label?: string;
  why?: string;
  clause?: string;
  by?: string;
  file?: string;
  json?: boolean;
}

/** `agon feedback`: the truth of one case, or of a file of them. */
export async function feedbackCommand(id: string | undefined, flags: FeedbackFlags): Promise<number> {
  const { file, label } = flags;
  if ((id === undefined) === (file === undefined))
    throw new AgonError(
      'bad-flag',
      'Feedback is about one case or a file of them.',
      'Write agon feedback ID --label safe, or agon feedback --file truths.jsonl.',
    );
  if (file !== undefined && (label ?? flags.why ?? flags.clause) !== undefined)
    throw new AgonError(
      'bad-flag',
      '--label, --why and --clause go with one case.',
      'Put them into the lines of the file.',
    );
  if (id !== undefined && label !== 'safe' && label !== 'unsafe')
    throw new AgonError('bad-flag', '--label says what the case is.', 'Write --label safe or --label unsafe.');
  return withLedger(flags, async (ledger, settings) => {
    const { secondReview } = settings.server ?? {};
    if (id !== undefined) {
      const given = await giveFeedback(
        ledger,
        {
          case: (await caseOnRecord(ledger, id)).id,
          label: label as 'safe' | 'unsafe',
          why: flags.why,
          clause: flags.clause,
          by: flags.by,
        },
        { secondReview },
      );
      printLines([flags.json ? JSON.stringify(given) : lineOf(given)]);
      return exitCodes.judged;
    }
    const given = await importFeedback(ledger, readLines(file!), {
      name: file === '-' ? 'standard input' : file!,
      by: flags.by,
      secondReview,
    });
    printLines(flags.json ? given.map((one) => JSON.stringify(one)) : summaryOf(given));
    const started = given.some(({ right, repeated }) => !right && !repeated)
      ? await startLearning(settings, flags)
      : null;
    if (started) process.stderr.write(`${started}\n`);
    return exitCodes.judged;
  });
}

function lineOf({ case: id, label, verdict, right, repeated }: GivenFeedback): string {
  const said = right
    ? `the verdict was right: ${label}`
    : `the verdict was ${verdict}, and that was wrong: it is ${label}. \`agon learn\` makes a precedent of it`;
  return `${sanitize(id)}: ${said}.${repeated ? ' That was on record already.' : ''}`;
}

function summaryOf(given: readonly GivenFeedback[]): string[] {
  const wrong = given.filter(({ right }) => !right);
  const repeated = given.filter((one) => one.repeated).length;
  return [
    `${given.length} truths on record${repeated > 0 ? `, ${repeated} of them before` : ''}: ${given.length - wrong.length} ` +
      `verdicts were right, ${wrong.length} wrong.`,
    ...wrong.slice(0, 20).map(({ case: id, verdict, label }) => `  ${sanitize(id)} was ${verdict} and is ${label}`),
    ...(wrong.length > 20 ? [`  and ${wrong.length - 20} more`] : []),
  ];
}
