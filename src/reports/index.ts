export { renderReport, reportFormatOf, type ReportExtras, type ReportFormat } from './render.ts';
export { html, inline, type Markup, type Part } from './escape.ts';
export { page } from './page.ts';
export { code, section, table } from './parts.ts';
export { codeCell, codeSpan } from './markdown-escape.ts';
export { documentOf, list as markdownList, table as markdownTable } from './markdown-parts.ts';
