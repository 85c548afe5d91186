export {
  renderPdfBrief,
  renderReport,
  reportFormatOf,
  textFormatOf,
  type ReportExtras,
  type ReportFormat,
  type TextFormat,
} from './render.ts';
export { html, inline, Markup, type Part } from './escape.ts';
export { page } from './page.ts';
export { styles } from './styles.ts';
export { code, section, table } from './parts.ts';
export { codeCell, codeSpan } from './markdown-escape.ts';
export { documentOf, list as markdownList, table as markdownTable } from './markdown-parts.ts';
