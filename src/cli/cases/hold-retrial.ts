import type { AnalysisEvent } from '../../jobs/documents/index.ts';
import type { JudgeEvent } from '../../jobs/index.ts';
import type { JudgedCase, Retrial, RetrialOptions } from '../../retrials/index.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines } from '../terminal/style.ts';
import type { TrialEvent } from '../views/debate-state.ts';
import { renderEvaluation } from '../views/show-evaluation.ts';
import { renderModeration } from '../views/show-moderation.ts';
import { watchAnalysis } from '../views/watch-analysis.ts';
import { watchDebate, type Watched } from '../views/watch-debate.ts';
import { renderRetrial } from './render-retrial.ts';

export interface RetrialFlags extends LedgerFlags {
  seat?: string[];
  json?: boolean;
  quiet?: boolean;
}

type RetrialEvents = (options: Pick<RetrialOptions, 'signal' | 'stream'>) => AsyncGenerator<JudgeEvent, Retrial, void>;

/** Judges a case again and shows both outcomes side by side. Returns the exit code. */
export async function holdRetrial(record: JudgedCase, flags: RetrialFlags, retry: RetrialEvents): Promise<number> {
  const { result: retrial } = await watchRetrial(record, retry, flags.json || flags.quiet);
  printLines(flags.json ? [JSON.stringify(retrial)] : renderRetrial(retrial, readableWidth(process.stdout)));
  return exitCodes.judged;
}

/** Each job yields its own events only. */
async function watchRetrial(record: JudgedCase, retry: RetrialEvents, silent = false): Promise<Watched<Retrial>> {
  if (record.job === 'documents') {
    const { documents } = record.content as { documents: { name: string }[] };
    return watchAnalysis(
      documents.map(({ name }) => name),
      (signal) => retry({ signal }) as AsyncGenerator<AnalysisEvent, Retrial, void>,
      silent,
    );
  }
  const trial = (options: { signal: AbortSignal; stream: boolean }) =>
    retry(options) as AsyncGenerator<TrialEvent<never>, Retrial, void>;
  return record.job === 'evaluation'
    ? watchDebate({ trial, blocks: renderEvaluation }, silent)
    : watchDebate({ trial, blocks: renderModeration }, silent);
}
