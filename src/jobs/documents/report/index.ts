export { htmlReport } from './html.ts';
export { markdownReport } from './markdown.ts';
export { reportFiles } from './report-files.ts';
export { summary } from './summary.ts';
