import { loadReportViews } from '@agonhq/core/app/load-report-views';
import type { MeasuredSet } from './block.ts';
import type { BenchReportOptions, BenchViews } from './set-blocks.ts';

/** All that was measured on several sets of data as one page that needs nothing else. */
export async function renderBenchPage(sets: readonly MeasuredSet[], options: BenchReportOptions): Promise<string> {
  return ((await loadReportViews()) as BenchViews).drawBench(sets, options);
}
