import { createAgon } from '../../app/index.ts';
import { hashOf } from '../../hash.ts';
import type { Policy } from '../../policy/index.ts';
import { testPolicy } from '../../runs/index.ts';
import { progressTeller, type Work } from '../trials/run-work.ts';
import type { House } from '../server-context.ts';

/** Examples judged at once: the work has one place, and should not take more than its part. */
const atOnce = 4;

interface TestReport {
  version: 1;
  policy: string;
  caught: boolean;
  clauses: Awaited<ReturnType<typeof testPolicy>>;
}

/** Judges a policy's own examples, off the record. */
export function testWork(policy: Policy, { settings, environment, courts }: House): Work<TestReport> {
  const { policy: _, ...own } = settings;
  return {
    key: hashOf(['policy-test', policy.hash]),
    async run(signal, tell) {
      // Not closed: it has no ledger of its own, and the tools are everybody's.
      const agon = await createAgon(
        { ...own, ledger: false },
        { environment, policy, pool: courts.pool, jobs: ['moderation'] },
      );
      const clauses = await testPolicy(policy, {
        moderate: (content, stop) => agon.moderate(content, { signal: stop }),
        concurrency: atOnce,
        signal,
        onProgress: progressTeller(tell),
      });
      return { version: 1, policy: policy.hash, caught: clauses.every(({ missed }) => missed.length === 0), clauses };
    },
  };
}
