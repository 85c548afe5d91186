export { htmlReport } from './html.ts';
export { markdownReport } from './markdown.ts';
export { summary } from './summary.ts';
