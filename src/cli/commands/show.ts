import type { Case, Ledger } from '../../ledger/index.ts';
import { policyOnRecord } from '../../policy/index.ts';
import { reportFormatOf, textFormatOf } from '../../reports/index.ts';
import { caseOnRecord, judgedCase } from '../../retrials/index.ts';
import { renderCaseRecord, type WholeCase } from '../cases/show-case.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { exitCodes } from '../print-error.ts';
import type { RecordedAnswer } from '../views/show-recorded.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';
import { writeReports } from '../judge/write-reports.ts';

export interface ShowFlags extends LedgerFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
}

/** `agon show ID`: a case as it stands in the ledger. */
export async function showCommand(id: string, flags: ShowFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const { report = [] } = flags;
    const record = report.length > 0 ? await judgedCase(ledger, id) : await caseOnRecord(ledger, id);
    report.forEach(record.job === 'documents' ? reportFormatOf : textFormatOf);
    const { rows: retrials } = await ledger.cases.listCases({ again: record.id }, { limit: 1000 });
    const whole = { record, decisions: await ledger.decisions.listDecisions(record.id), retrials };
    if (flags.json) printLines([JSON.stringify(asJson(whole))]);
    else if (report.length === 0) printLines(renderCaseRecord(whole, readableWidth(process.stdout), flags.quiet));
    const policy = record.job === 'documents' ? undefined : policyOnRecord(record.policy.document);
    await writeReports(record.answer as unknown as RecordedAnswer, {
      reports: report,
      images: await imagesOf(record, ledger),
      policy,
    });
    return exitCodes.judged;
  });
}

/** The bytes on record, in the order of the images. */
async function imagesOf({ content }: Case, { attachments }: Ledger): Promise<(Uint8Array | null)[]> {
  const { images = [] } = (content ?? {}) as { images?: { attachment?: string }[] };
  return Promise.all(
    images.map(async ({ attachment }) =>
      attachment === undefined ? null : ((await attachments.findAttachment(attachment))?.data ?? null),
    ),
  );
}

/** Images by hash alone: their bytes are in the ledger. */
function asJson({ record, decisions, retrials }: WholeCase): unknown {
  const { policy, ...rest } = record;
  const { hash, name, version } = policy;
  return {
    version: 1,
    ...rest,
    policy: { hash, name, version },
    decisions,
    retrials,
  };
}
