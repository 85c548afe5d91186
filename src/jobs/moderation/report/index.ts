export { htmlReport } from './html.ts';
export { markdownReport } from './markdown.ts';
export { notice } from './notice.ts';
