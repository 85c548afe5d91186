import type { JudgeEvent } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import { loadPolicy } from '../../policy/index.ts';
import type { AnalysisEvent } from '../../jobs/documents/index.ts';
import {
  appeal,
  judgedCase,
  replay,
  type JudgedCase,
  type Retrial,
  type RetrialOptions,
} from '../../retrials/index.ts';
import type { TrialEvent } from '../views/debate-state.ts';
import { renderEvaluation } from '../views/show-evaluation.ts';
import { watchAnalysis } from '../views/watch-analysis.ts';
import { watchDebate, type Watched } from '../views/watch-debate.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { renderModeration } from '../views/show-moderation.ts';
import { exitCodes } from '../print-error.ts';
import { readStandardInput } from '../read-input.ts';
import { renderRetrial } from '../cases/show-retrial.ts';
import { readSeats } from '../settings-flags.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

interface RetrialFlags extends LedgerFlags {
  seat?: string[];
  json?: boolean;
  quiet?: boolean;
}

export interface ReplayFlags extends RetrialFlags {
  withoutPrecedent?: string[];
  policy?: string;
}

export interface AppealFlags extends RetrialFlags {
  model?: string;
  statement?: string;
  stdin?: boolean;
}

/** `agon replay ID`: the same trial with one thing changed. */
export async function replayCommand(id: string, flags: ReplayFlags): Promise<number> {
  const given = [
    flags.withoutPrecedent && '--without-precedent',
    flags.policy && '--policy',
    flags.seat && '--seat',
  ].filter((flag) => typeof flag === 'string');
  if (given.length > 1) {
    throw new AgonError(
      'bad-flag',
      `${given.join(' and ')} were given.`,
      'Change one thing at a time: what flips the verdict is then known.',
    );
  }
  const policy = flags.policy === undefined ? undefined : await loadPolicy(flags.policy);
  const seats = readSeats({ seat: flags.seat });
  return withLedger(flags, async (ledger, settings) => {
    const record = await judgedCase(ledger, id);
    return held(record, flags, (options) =>
      replay(ledger, record.id, { withoutPrecedent: flags.withoutPrecedent, policy, seats }, { ...options, settings }),
    );
  });
}

/** `agon appeal ID`: a fresh debate before other seats, with what the person concerned says. */
export async function appealCommand(id: string, flags: AppealFlags): Promise<number> {
  if (flags.statement !== undefined && flags.stdin)
    throw new AgonError('bad-flag', '--statement was given and --stdin too.', 'Give one of them.');
  const { default: model, ...seats } = readSeats(flags);
  const statement = flags.stdin ? await readStandardInput() : flags.statement;
  return withLedger(flags, async (ledger, settings) => {
    const record = await judgedCase(ledger, id);
    return held(record, flags, (options) =>
      appeal(ledger, record.id, { ...options, settings, statement, model, seats }),
    );
  });
}

type Hearing = (options: Pick<RetrialOptions, 'signal' | 'stream'>) => AsyncGenerator<JudgeEvent, Retrial, void>;

async function held(record: JudgedCase, flags: RetrialFlags, hearing: Hearing): Promise<number> {
  const { result: retrial } = await heard(record, hearing, flags.json || flags.quiet);
  printLines(flags.json ? [JSON.stringify(retrial)] : renderRetrial(retrial, readableWidth(process.stdout)));
  return exitCodes.judged;
}

/** Each job yields its own events only. */
async function heard(record: JudgedCase, hearing: Hearing, silent = false): Promise<Watched<Retrial>> {
  if (record.job === 'documents') {
    const { documents } = record.content as { documents: { name: string }[] };
    return watchAnalysis(
      documents.map(({ name }) => name),
      (signal) => hearing({ signal }) as AsyncGenerator<AnalysisEvent, Retrial, void>,
      silent,
    );
  }
  const trial = (options: { signal: AbortSignal; stream: boolean }) =>
    hearing(options) as AsyncGenerator<TrialEvent<never>, Retrial, void>;
  return record.job === 'evaluation'
    ? watchDebate({ trial, blocks: renderEvaluation }, silent)
    : watchDebate({ trial, blocks: renderModeration }, silent);
}
