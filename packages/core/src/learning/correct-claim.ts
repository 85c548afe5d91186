import { AgonError } from '@agonhq/engine/agon-error';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { CorrectableClaim, JobCorrection, Jobs } from '@agonhq/judges/job';
import type { Case, CorrectionFilter, Ledger } from '@agonhq/ledger';
import { assertJudged, unknownCase } from '../retrials/find-case.ts';

/** What somebody says the verdict on a claim should have been. */
export interface ClaimCorrection {
  case: string;
  /** Its id (`claim-02`) or its number (`2`). */
  claim: string;
  label: string;
  why: string;
  /** Who says so; `feedback` when nobody is named. */
  by?: string;
}

/** Records what the verdict on a claim of a past case should have been; later analyses of the same claim recall it. */
export async function correctClaim(
  jobs: Jobs,
  ledger: Ledger,
  { case: id, claim: named, label, why, by = 'feedback' }: ClaimCorrection,
  once?: KeyedRequest,
): Promise<JobCorrection> {
  const { found, answer, corrections } = await requireCorrectable(jobs, ledger, id);
  if (!corrections.labels.includes(label))
    throw new AgonError(
      'bad-correction',
      `A claim cannot be ${JSON.stringify(label)}.`,
      `It can be ${corrections.labels.join(', ')}.`,
    );
  const reason = why.trim();
  if (reason === '')
    throw new AgonError('bad-correction', 'The correction gives no reason.', {
      library: 'Say in `why` what the verdict overlooks: later analyses are shown it.',
      cli: 'Say with --why what the verdict overlooks: later analyses are shown it.',
      api: 'Say in "why" what the verdict overlooks: later analyses are shown it.',
    });
  const claim = requireClaim(corrections.listClaims(answer), named, found.id);
  const standing = (await ledger.corrections.listCorrections({ case: found.id, standing: true })).find(
    (one) => one.claim === claim.id,
  );
  const present = standing?.label ?? claim.label;
  if (present === label)
    throw new AgonError(
      'same-label',
      standing
        ? `${standing.by} corrected ${claim.id} of ${found.id} to ${label} already (${standing.id}).`
        : `The verdict on ${claim.id} of ${found.id} is ${label} already.`,
      standing
        ? 'Withdraw that correction first, to give another reason.'
        : 'Name the verdict that it should have been.',
    );
  if (standing && claim.label === label)
    throw new AgonError('same-label', `The verdict on ${claim.id} of ${found.id} is ${label} itself.`, {
      library: `Withdraw ${standing.id} instead: the verdict then stands again.`,
      cli: `Withdraw the correction instead: agon corrections withdraw ${standing.id}`,
      api: `Withdraw it instead: POST /api/corrections/${standing.id}/withdrawal.`,
    });
  const correction = {
    case: found.id,
    claim: claim.id,
    text: claim.text,
    verdict: claim.label,
    label,
    why: reason,
    by,
    matter: claim.describeMatter(),
  };
  return ledger.corrections.recordCorrection(correction, once);
}

export function listCorrections(ledger: Ledger, filter: CorrectionFilter = {}): Promise<readonly JobCorrection[]> {
  return ledger.corrections.listCorrections(filter);
}

/** Takes a correction back: it stays on record, and no later analysis recalls it. */
export async function withdrawCorrection(
  ledger: Ledger,
  id: string,
  { by = 'feedback', why = null }: { by?: string; why?: string | null } = {},
): Promise<JobCorrection> {
  const found = await ledger.corrections.findCorrection(id);
  if (found?.withdrawn)
    throw new AgonError(
      'withdrawn-already',
      `${found.withdrawn.by} withdrew ${id} on ${found.withdrawn.at.toISOString().slice(0, 10)}.`,
      'Nothing is left to do: the verdict of the machine stands.',
    );
  return ledger.corrections.withdrawCorrection(id, { by, why: why?.trim() || null });
}

/** A case with its answer, and what its claims are corrected by. */
export async function requireCorrectable(jobs: Jobs, ledger: Ledger, id: string) {
  const found = await ledger.cases.findCase(id);
  if (!found) throw unknownCase(ledger, id);
  const { answer } = assertJudged(found);
  const { corrections } = jobs.require(found.job);
  if (!corrections) throw otherJob(jobs, found);
  return { found, answer, corrections };
}

function otherJob(jobs: Jobs, { id, job }: Case): AgonError {
  const able = jobs.list().filter(({ corrections }) => corrections);
  return new AgonError('other-job', `${id} is a case of ${job}, which has one verdict and no claims.`, {
    library: `Corrections are for ${able.map((one) => one.id).join(', ')}; give feedback on the case instead.`,
    cli: `Corrections are for ${able.map((one) => one.id).join(', ')}; write agon feedback ${id} --label … instead.`,
    api: `Corrections are for ${able.map((one) => one.id).join(', ')}; give feedback on the case instead.`,
  });
}

/** By its id, or by its number in the list. */
function requireClaim(claims: readonly CorrectableClaim[], named: string, caseId: string): CorrectableClaim {
  const number = /^(?:claim-?)?(\d{1,9})$/.exec(named.trim())?.[1];
  const claim = claims.find(
    ({ id }) => id === named || (number !== undefined && Number(/\d{1,9}$/.exec(id)?.[0]) === Number(number)),
  );
  if (claim) return claim;
  throw new AgonError(
    'unknown-claim',
    `${caseId} has no claim ${JSON.stringify(named)}.`,
    claims.length === 0
      ? 'It has no claims.'
      : `Its claims are ${claims[0]!.id} to ${claims.at(-1)!.id}, or 1 to ${claims.length}.`,
  );
}
