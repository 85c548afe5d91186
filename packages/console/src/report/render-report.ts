import palette from 'virtual:palette.css?inline';
import type { BenchViews } from '@agonhq/bench/report/set-blocks';
import type { DrawReport } from '@agonhq/judges/job';
import { drawBenchPage, drawLearningPage } from './bench/bench-page.tsx';
import { drawReportPage } from './report-page.tsx';
import sheet from './report.css?inline';
import { shortenClasses } from './shorten-classes.ts';

/* What Agon loads when somebody asks for a page (packages/core/src/app/load-report-views.ts). */

const styles = `${palette}\n${sheet}`;

export const drawReport: DrawReport = (given) => shortenClasses(drawReportPage(given, styles));
export const drawBench: BenchViews['drawBench'] = (sets, options) => drawBenchPage(sets, options, styles);
export const drawLearning: BenchViews['drawLearning'] = (page) => drawLearningPage(page, styles);
