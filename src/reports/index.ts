export { renderReport, reportFormatOf, type ReportExtras, type ReportFormat } from './render.ts';
