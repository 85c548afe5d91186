export { html, inline, type Markup } from './escape.ts';
export { page } from './page.ts';
export { light } from './styles.ts';
export { code, section, table } from './parts.ts';
export { codeCell, codeSpan, fence } from './markdown-escape.ts';
export * from './markdown-parts.ts';
export { contextBlocks } from './context.ts';
export { renderDebateMarkdown } from './debate-markdown.ts';
export { renderGenericMarkdown, renderGenericNotice } from './generic-report.ts';
