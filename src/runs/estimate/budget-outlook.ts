import type { Settings } from '../../settings/index.ts';
import type { Expected } from './mean-interval.ts';
import type { BudgetOutlook, RunEstimate } from './run-estimate.ts';

type Priced = Pick<RunEstimate, 'run' | 'allRounds' | 'atMost' | 'input'>;

/** Whether a run's budget covers what is estimated; `dearestCall` is the most that one call may cost. */
export function budgetOutlook(
  budget: Settings['budget'],
  { run, allRounds, atMost, input }: Priced,
  dearestCall: number,
): BudgetOutlook | null {
  const { runUsd: usd = null, runTokens: tokens = null } = budget ?? {};
  if (usd === null && tokens === null) return null;
  if (usd !== null && run.usd === null) return { usd, tokens, covers: 'unknown', items: null };
  const dearer = allRounds ?? run;
  const spent = (end: keyof Expected) => [
    { limit: usd, of: dearer.usd?.[end] ?? 0 },
    { limit: tokens, of: dearer.inputTokens[end] + dearer.outputTokens[end] },
  ];
  const fits = (of: ReturnType<typeof spent>) => of.every((own) => own.limit === null || own.of <= own.limit);
  const surely = fits([
    { limit: usd, of: atMost.usd ?? 0 },
    { limit: tokens, of: atMost.inputTokens + atMost.outputTokens },
  ]);
  // The worst case of a call is set aside before it is made, so the last of the money cannot be spent.
  const likely = fits(spent('high').map((own, index) => ({ ...own, of: own.of + (index === 0 ? dearestCall : 0) })));
  if (surely || likely) return { usd, tokens, covers: surely ? 'surely' : 'likely', items: null };
  const covered = Math.min(
    ...spent('expected').map(({ limit, of }) => (limit === null || of === 0 ? 1 : limit / of)),
    1,
  );
  return { usd, tokens, covers: 'no', items: Math.floor(covered * input.judged) };
}
