export { html, inline, Markup, type HtmlPart, block, withChips } from './escape.ts';
export { page } from './page.ts';
export { renderStyles, light } from './styles.ts';
export { code, section, table, scoreBar } from './parts.ts';
export { codeCell, codeSpan, fence } from './markdown-escape.ts';
export {
  joinBlocks,
  markdownList,
  markdownTable,
  cost,
  markdownProvenance,
  statement,
  clauseList,
  passageBlocks,
  sourceBlocks,
} from './markdown-parts.ts';
export { contextBlocks, renderContext } from './context.ts';
export { nameClauses } from './clauses.ts';
export { highlight, type TextMarking, highlightRange } from './highlight.ts';
export { renderDebateMarkdown, renderDebatePage } from './debate-report.ts';
export { nameMoment, shortenQuote, passageLink } from './quotes.ts';
export { costSection, provenance, recordTable } from './small-print.ts';
export { observationCard, passageList, sourceCard } from './sources.ts';
export { turnCard, type TurnCard } from './turn-card.ts';
export { renderGenericHtml, renderGenericMarkdown, renderGenericNotice } from './generic-report.ts';
