import { errorCode } from '../log.ts';
import type { ServerContext } from '../server-context.ts';

const dayMs = 86_400_000;

/** Takes away what is kept longer than the settings say: first what was judged and said, later the whole cases. */
export async function applyRetention(
  { ledger, settings, trials, log }: Pick<ServerContext, 'ledger' | 'settings' | 'trials' | 'log'>,
  now = Date.now(),
): Promise<void> {
  const { keepContentsDays, keepCasesDays } = settings.server ?? {};
  for (const [what, days] of [
    ['contents', keepContentsDays],
    ['cases', keepCasesDays],
  ] as const) {
    if (days === undefined) continue;
    try {
      const report = await ledger.prune({ before: new Date(now - days * dayMs), what });
      const { held, ...counts } = report;
      if (Object.values(counts).every((count) => count === 0)) continue;
      trials.forgetEnded();
      log({ level: 'info', event: 'retention', what, cases: report.debates, items: report.items, held });
    } catch (error) {
      // The next hour tries again.
      log({ level: 'warn', event: 'retention', what, code: errorCode(error) });
    }
  }
}
