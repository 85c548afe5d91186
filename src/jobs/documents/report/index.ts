export { htmlReport } from './html.ts';
export { markdownReport } from './markdown.ts';
export { pdfBrief } from './pdf-brief.ts';
export { summary } from './summary.ts';
