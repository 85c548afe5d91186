import type { Ledger, RunRow } from '../../ledger/index.ts';

/** How long what was read of the runs holds: a cancelled run is noticed so soon. */
const freshMs = 1_000;

/** The runs that there is something to do for. */
export function runsOnHand({ runs }: Ledger, only: readonly string[] | undefined) {
  let known: readonly RunRow[] = [];
  let readAt = -Infinity;
  const looked = new Map<string, number>();

  async function running(): Promise<readonly RunRow[]> {
    if (performance.now() - readAt > freshMs) {
      const all = await runs.listRuns({ states: ['running'] });
      // Those without a plan are the work of one process alone.
      known = all.filter(
        (run) =>
          run.settings !== null &&
          (only === undefined || only.includes(run.id) || (run.name !== null && only.includes(run.name))),
      );
      readAt = performance.now();
    }
    return known;
  }

  return {
    running,
    /** As it stands at this moment. */
    async now(id: string): Promise<RunRow | undefined> {
      readAt = -Infinity;
      return runs.findRun(id);
    },
    isRunning: async (id: string) => (await running()).some((run) => run.id === id),
    /** Ends a run whose items are all read and all judged; asked once a second at most. */
    async endIfDone({ id }: RunRow): Promise<boolean> {
      if (performance.now() - (looked.get(id) ?? -Infinity) < freshMs) return false;
      looked.set(id, performance.now());
      const run = await runs.findRun(id);
      if (!run || run.state !== 'running' || run.total === null) return false;
      if (!(await runs.isRunOver(id))) return false;
      await runs.endRun(id, 'finished');
      readAt = -Infinity;
      return true;
    },
    async stop(id: string, problem: string): Promise<void> {
      await runs.endRun(id, 'stopped', problem);
      readAt = -Infinity;
    },
  };
}
