import type { CaseFilter } from '../../ledger/index.ts';
import { renderCaseList } from '../cases/show-case.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { readPastMoment } from '../read-flags.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines, style } from '../terminal/style.ts';

export interface CasesFlags extends LedgerFlags {
  label?: string;
  job?: string;
  category?: string;
  modality?: string;
  run?: string;
  model?: string;
  minDisagreement?: number;
  maxConfidence?: number;
  since?: string;
  until?: string;
  search?: string;
  escalated?: boolean;
  degraded?: boolean;
  unfinished?: boolean;
  limit: number;
  json?: boolean;
}

/** `agon cases`: past cases, the newest first. */
export async function casesCommand(flags: CasesFlags): Promise<number> {
  const filter = filterFrom(flags);
  return withLedger(flags, async (ledger) => {
    const { rows, next } = await ledger.cases.listCases(filter, { limit: flags.limit });
    if (flags.json) printLines(rows.map((row) => JSON.stringify(row)));
    else if (rows.length === 0) printLines(['No case is like that.']);
    else
      printLines([
        ...renderCaseList(rows, readableWidth(process.stdout)),
        ...(next === null
          ? []
          : [
              style(
                'dim',
                `There are more: --limit ${flags.limit * 5}, or narrow it down with --search, --label or --since.`,
              ),
            ]),
      ]);
    return exitCodes.judged;
  });
}

function filterFrom({
  label,
  job,
  category,
  modality,
  run,
  model,
  minDisagreement,
  maxConfidence,
  search,
  since,
  until,
  escalated,
  degraded,
  unfinished,
}: CasesFlags): CaseFilter {
  return {
    label,
    job,
    category,
    modality,
    run,
    model,
    minDisagreement,
    maxConfidence,
    search,
    ...(since === undefined ? {} : { since: readPastMoment('--since', since) }),
    ...(until === undefined ? {} : { until: readPastMoment('--until', until) }),
    ...(escalated ? { escalate: true } : {}),
    ...(degraded ? { degraded: true } : {}),
    ...(unfinished ? { finished: false } : {}),
  };
}
