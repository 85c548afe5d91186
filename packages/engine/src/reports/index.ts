export { html } from './escape.ts';
export { page, table } from './page.ts';
export { light } from './styles.ts';
export { codeCell, codeSpan, fence } from './markdown-escape.ts';
export * from './markdown-parts.ts';
export { contextBlocks } from './context.ts';
export { renderDebateMarkdown } from './debate-markdown.ts';
export { renderGenericMarkdown, renderGenericNotice } from './generic-report.ts';
