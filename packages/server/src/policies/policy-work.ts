import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Jobs } from '@agonhq/judges/job';
import { type Policy, policyOnRecord } from '@agonhq/engine/policy';
import { measureImpact, type ImpactReport, type PastCases, testPolicy } from '@agonhq/core/runs';
import { embeddedModel, measureClauses } from '@agonhq/models/reasoners';
import type { Request } from '../handler.ts';
import { createProgressTeller, type Work } from '../trials/run-work.ts';
import type { ServerContext } from '../server-context.ts';
import { findRunByName } from '../runs/read-run.ts';
import { createAgon } from '@agonhq/core/app';
import type { Ledger } from '@agonhq/ledger';

/** From so many letters on, the beginning of a hash may stand for it. */
const shortest = 12;

/** A policy that a request names: `active`, its hash, or how its hash begins (with or without `sha256:`). */
export async function findPolicy(
  words: string,
  { agons, ledger }: Pick<ServerContext, 'agons' | 'ledger'>,
): Promise<Policy> {
  const inForce = agons.activePolicy();
  const wanted = words.startsWith('sha256:') ? words : `sha256:${words}`;
  if (words === 'active' || wanted === inForce.hash) return inForce;
  if (wanted.length >= 'sha256:'.length + shortest) {
    if (inForce.hash.startsWith(wanted)) return inForce;
    const found = await ledger.policies.findPoliciesByPrefix(wanted);
    if (found.length === 1) return policyOnRecord(found[0]!.document);
    if (found.length > 1)
      throw new AgonError('unknown-policy', `${found.length} policies begin with ${words}.`, 'Give more of the hash.');
  }
  throw new AgonError('unknown-policy', `There is no policy ${words} on record.`, 'GET /api/policies lists them.');
}

/** Keeps a policy, once. */
export async function keepSentPolicy({ policies }: Pick<Ledger, 'policies'>, policy: Policy): Promise<void> {
  const { hash, name, version } = policy;
  await policies.keepPolicy({ hash, name, version, document: policy });
}

type Wanted = Request<'policies.impact'>['body'];

/** Cases or examples judged at once: the work has one place, and should not take more than its part. */
const judgedAtOnce = 4;

/** Judges past cases again under a policy, and tells what changes. */
export async function planImpact(
  policy: Policy,
  wanted: Wanted,
  { jobs, ledger, settings, environment }: ServerContext,
): Promise<Work<ImpactReport>> {
  const cases = await selectCases(jobs, wanted, ledger);
  return {
    key: hashOf(['policy-impact', policy.hash, wanted]),
    async run(signal, tell) {
      const progress = createProgressTeller(tell);
      const report = await measureImpact(ledger, {
        jobs,
        policy,
        cases,
        settings,
        parts: { environment },
        concurrency: judgedAtOnce,
        signal,
        onProgress: ({ judged, failed, total }) => progress(judged + failed, total),
        onChange: (change) => tell('change', change),
        onFailure: (id, { code, message, hint }) => tell('failure', { case: id, code, message, hint }),
      });
      // What stopped it is known better here; what it has found is worth having.
      if (report.stopped?.code !== 'cancelled' || !AgonError.is(signal.reason)) return report;
      const { code, message, hint } = signal.reason;
      return { ...report, stopped: { code, message, hint } };
    },
  };
}

async function selectCases(
  jobs: Jobs,
  { run, since, ...wanted }: Wanted,
  ledger: ServerContext['ledger'],
): Promise<PastCases> {
  if (run === undefined) return { ...wanted, ...(since === undefined ? {} : { since: new Date(since) }) };
  if (since !== undefined || wanted.job !== undefined)
    throw new AgonError(
      'two-choices',
      'The request names a run, and also a time or a job.',
      'A run has its own items and job: give one or the other.',
    );
  const { id, job } = await findRunByName(run, ledger);
  if (!jobs.require(job).usesPolicy)
    throw new AgonError(
      'other-job',
      `Run ${id} is about ${jobs.require(job).subject}, which are judged without a policy.`,
      `Name a run of ${jobs
        .list()
        .filter((one) => one.usesPolicy)
        .map((one) => one.id)
        .join(' or ')}.`,
    );
  return { ...wanted, run: id };
}

interface TestReport {
  version: 1;
  policy: string;
  caught: boolean;
  clauses: Awaited<ReturnType<typeof testPolicy>>;
}

/** Judges a policy's own examples, off the record. */
export function planPolicyTest(
  policy: Policy,
  { jobs, settings, environment, agons }: ServerContext,
): Work<TestReport> {
  const { policy: _, ...own } = settings;
  return {
    key: hashOf(['policy-test', policy.hash]),
    async run(signal, tell) {
      const job = jobs.requireLearning();
      const parts = { environment, policy, pool: agons.pool, jobs, only: [job.id] };
      // Not closed: it has no ledger of its own, and the tools are everybody's.
      const agon = await createAgon({ ...own, ledger: false }, parts);
      const isEmbedded = Object.values(agon.provenanceOf(job).models).includes(embeddedModel);
      const clauses = await testPolicy(policy, {
        agon,
        job,
        reliability: isEmbedded ? await measureClauses(policy) : [],
        concurrency: judgedAtOnce,
        signal,
        onProgress: createProgressTeller(tell),
      });
      return { version: 1, policy: policy.hash, caught: clauses.every(({ missed }) => missed.length === 0), clauses };
    },
  };
}
