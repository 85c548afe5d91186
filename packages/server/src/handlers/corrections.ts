import { AgonError } from '@agonhq/engine/agon-error';
import { showCorrection } from '@agonhq/judges/job';
import { correctClaim, editFinding, listCorrections, withdrawCorrection } from '@agonhq/core/learning';
import type { Case } from '@agonhq/ledger';
import { reviewerName } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { ServerContext } from '../server-context.ts';
import { findOnRecord } from './cases.ts';

/** What people say of the claims of an analysis. */
export const correctionHandlers: Handlers<GroupOf<'corrections'>> = {
  async 'corrections.create'({ params, body: { by, ...said }, principal, once }, { jobs, ledger }) {
    const { id } = await findAnalysis({ jobs, ledger }, params.id);
    const made = await ledger.idempotency.findMade(once);
    const correction =
      (made === null ? undefined : await ledger.corrections.findCorrection(made)) ??
      (await correctClaim(jobs, ledger, { case: id, ...said, by: reviewerName(principal) ?? by }, once));
    return showCorrection(correction);
  },

  async 'corrections.ofCase'({ params, query: { all = false } }, { jobs, ledger }) {
    const { id } = await findAnalysis({ jobs, ledger }, params.id);
    return { rows: (await listCorrections(ledger, { case: id, standing: !all })).map(showCorrection) };
  },

  async 'corrections.list'({ query: { all = false } }, { ledger }) {
    return { rows: (await listCorrections(ledger, { standing: !all })).map(showCorrection) };
  },

  async 'corrections.withdraw'({ params, body: { by, why }, principal }, { ledger }) {
    return showCorrection(await withdrawCorrection(ledger, params.id, { by: reviewerName(principal) ?? by, why }));
  },
};

/** What they make of its findings for the report. */
export const findingHandlers: Handlers<GroupOf<'findings'>> = {
  async 'findings.ofCase'({ params }, { jobs, ledger }) {
    const { id } = await findAnalysis({ jobs, ledger }, params.id);
    return { rows: await ledger.findings.listEdits(id) };
  },

  async 'findings.edit'({ params, body: { by, ...words }, principal }, { jobs, ledger }) {
    const { id } = await findAnalysis({ jobs, ledger }, params.id);
    return editFinding(jobs, ledger, {
      case: id,
      finding: params.finding,
      ...words,
      by: reviewerName(principal) ?? by,
    });
  },
};

async function findAnalysis({ jobs, ledger }: Pick<ServerContext, 'jobs' | 'ledger'>, id: string): Promise<Case> {
  const found = await findOnRecord(ledger, id);
  if (jobs.require(found.job).corrections) return found;
  throw new AgonError(
    'unknown-case',
    `${found.id} is a case of ${found.job}.`,
    'GET /api/cases?job=documents lists the analyses.',
  );
}
