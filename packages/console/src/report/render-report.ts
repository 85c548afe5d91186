import palette from 'virtual:palette.css?inline';
import type { DrawReport } from '@agonhq/judges/job';
import { drawReportPage } from './report-page.tsx';
import sheet from './report.css?inline';
import { shortenClasses } from './shorten-classes.ts';

/* What Agon loads when somebody asks for a report as HTML (packages/core/src/app/render-report.ts). */

export const drawReport: DrawReport = (given) => shortenClasses(drawReportPage(given, `${palette}\n${sheet}`));
