import { AgonError } from '../errors.ts';
import type { Ledger } from '../ledger/index.ts';

/** What happens to a disk or a server, whatever is asked of it. That a case was forgotten, say, is none of it. */
const outages = new Set([
  'full-disk',
  'read-only-ledger',
  'ledger-failed',
  'locked-ledger',
  'ledger-unreachable',
  'damaged-ledger',
]);

/**
 * The installation's own ledger, on which no verdict depends: when it fails amid a debate, the failure is told once,
 * nothing more is kept, and the debate goes on without it.
 */
export function dispensable(ledger: Ledger, onFailure: (error: AgonError) => void): Ledger {
  let failed = false;
  const attempt = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    if (failed) return otherwise;
    try {
      return await work();
    } catch (error) {
      if (!AgonError.is(error) || !outages.has(error.code)) throw error;
      if (!failed) onFailure(error);
      failed = true;
      return otherwise;
    }
  };
  const { journal, cases, runs } = ledger;
  return {
    ...ledger,
    journal: {
      find: (debate, key, inputHash) => attempt(() => journal.find(debate, key, inputHash), undefined),
      insert: (debate, entry) => attempt(() => journal.insert(debate, entry), entry),
    },
    cases: {
      ...cases,
      open: (opened) => attempt(() => cases.open(opened), undefined),
      close: (answer) => attempt(() => cases.close(answer), undefined),
    },
    runs: {
      ...runs,
      start: (run) =>
        attempt(() => runs.start(run), {
          ...run,
          state: 'running',
          problem: null,
          total: null,
          startedAt: new Date(),
          endedAt: null,
        }),
      end: (id, state, problem) => attempt(() => runs.end(id, state, problem), undefined),
    },
  };
}
