import { AgonError } from '@agonhq/engine/agon-error';
import type { FindingEdit, Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { requireCorrectable } from './correct-claim.ts';

/** What somebody makes of a finding for the report; what is absent is taken away. */
export interface FindingWords {
  case: string;
  /** `claim-02`, `number-3`. */
  finding: string;
  wording?: string | undefined;
  note?: string | undefined;
  leftOut?: boolean | undefined;
  /** Who says so; `feedback` when nobody is named. */
  by?: string | undefined;
}

/** Keeps a person's words on a finding beside those of the machine, which stay as they are. */
export async function editFinding(
  jobs: Jobs,
  ledger: Ledger,
  { case: id, finding, wording, note, leftOut = false, by = 'feedback' }: FindingWords,
): Promise<FindingEdit> {
  const { found, answer, corrections } = await requireCorrectable(jobs, ledger, id);
  if (!corrections.listFindings(answer).some((one) => one.id === finding))
    throw new AgonError(
      'unknown-finding',
      `${found.id} has no finding ${JSON.stringify(finding)}.`,
      'A finding is a claim (claim-02), or numbers in conflict by their place among the checks (number-3).',
    );
  const edit: FindingEdit = {
    case: found.id,
    finding,
    wording: wording?.trim() || null,
    note: note?.trim() || null,
    leftOut,
    by,
    at: new Date(),
  };
  await ledger.findings.editFinding(edit);
  return edit;
}
