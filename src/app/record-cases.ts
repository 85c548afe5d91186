import type { Answer, CaseRecorder } from '../debate/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Occasion } from './parts.ts';

/** What the trials of one job have in common, as it is put on record. */
export interface OnRecord {
  job: string;
  /** The job's own settings and its seats: no keys, no providers. */
  settings: unknown;
  policy: Policy;
  occasion: Occasion;
}

/** Puts every case of a job into the ledger: before its debate, and when it has ended. */
export function recordCases(ledger: Ledger, { job, settings, policy, occasion }: OnRecord): CaseRecorder {
  const { hash, name, version } = policy;
  return {
    openCase: (entry) =>
      ledger.cases.openCase({
        ...entry,
        job,
        settings,
        policy: { hash, name, version, document: policy },
        run: occasion.run ?? null,
        again: occasion.again ?? null,
      }),
    closeCase: (answer) => ledger.cases.closeCase(answer as Answer),
  };
}
