import { code, html, inline, page, section, table, type Markup } from '../../reports/index.ts';
import type { Block, Cell } from '../rendering/block.ts';
import { blocksOf } from './blocks.ts';
import { chartOf, chartStyles } from '../rendering/charts.ts';
import { overallAccuracy } from './overview-blocks.ts';
import type { EvaluationReport } from './report.ts';

/** The figures of several sets of data as one page that needs nothing else. */
export function evaluationPage(reports: readonly EvaluationReport[]): string {
  const notes = [...new Set(reports.flatMap((report) => report.notes))];
  const { repeats } = reports[0]!.parameters;
  const evaluators = new Set(reports.flatMap(({ systems }) => systems.map(({ name }) => name))).size;
  const size = `${counted(evaluators, 'evaluator')} · ${counted(reports.length, 'set')} of data · ${counted(repeats, 'repeat')}`;
  return page('Evaluation bench', html`<header class="masthead"><p><b>Agon</b> evaluation bench</p><p class="small">${size}</p></header>
<main>
<h1>Evaluators side by side</h1>
${notes.length > 0 && html`<ul class="notes bullets">${notes.map((note) => html`<li>${inline(note)}</li>`)}</ul>`}
${blockSection(overallAccuracy(reports))}
${reports.map((report) => dataSection(report, reports.length > 1))}
</main>
<footer class="small">This page runs no script and loads nothing. Intervals are 95 % bootstrap intervals; the same judgements give the same intervals.</footer>`, benchStyles);
}

function dataSection(report: EvaluationReport, several: boolean): Markup {
  const { data } = report;
  const blocks = blocksOf(report).map((block, place) => ({ block, anchor: anchorOf(data, place) }));
  const label = `Tables and figures${several ? ` of ${data.file}` : ''}`;
  return html`<section class="set"><h2>${inline(data.file)}</h2><p class="lead">${counted(data.items, 'item')}, ${data.unsafe} unsafe. sha256 ${code(data.sha256)}</p>
<nav class="contents" aria-label="${label}">${blocks.map(({ block, anchor }) => html`<a href="#${anchor}">${block.title}</a>`)}</nav>
${blocks.map(({ block, anchor }) => html`<article id="${anchor}"><h3>${block.title}</h3>${blockBody(block)}</article>`)}</section>`;
}

function anchorOf({ sha256 }: EvaluationReport['data'], place: number): string {
  return `set-${sha256.slice(0, 8)}-${place + 1}`;
}

function blockSection(block: Block): Markup {
  return section(block.title, null, blockBody(block));
}

/** A table or figure with what is said around it. */
export function blockBody({ title, lead, table: cells, chart, notes = [], missing }: Block): Markup {
  const numbers = new Set(cells?.head.flatMap(({ number }, place) => (number ? [place] : [])));
  return html`<p class="lead-in">${lead}</p>
${missing && html`<p class="absent">${missing}</p>`}
${chart && chartOf(chart)}
${cells && table(title, cells.head.map(cellMarkup), cells.rows.map((row) => row.map(cellMarkup)), numbers)}
${notes.map((note) => html`<p class="small">${note}</p>`)}`;
}

function cellMarkup({ text, name, emphasis }: Cell): Markup {
  const shown = name ? code(text) : html`${text}`;
  if (emphasis === 'best') return html`<b>${shown}</b>`;
  if (emphasis === 'second') return html`<u>${shown}</u>`;
  return emphasis === 'breach' ? html`<strong class="breach">${shown} <span aria-label="reaches the threshold">⚑</span></strong>` : shown;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** What the pages of the bench need beside the common styles. */
export const benchStyles = `${chartStyles}
.masthead,main,footer{max-width:72rem}
h1{margin-bottom:1.5rem}
.set{border-top:1px solid var(--line);padding-top:2rem}
.lead-in{color:var(--quiet);max-width:48rem;margin-bottom:1rem}
article{margin-top:3rem}
article h3{font-size:1.25rem;margin-bottom:.35rem}
article .small{margin-top:.6rem}
.contents{display:flex;flex-wrap:wrap;gap:.35rem 1.25rem;font-size:.9375rem}
.breach{color:var(--risk)}
td u{text-underline-offset:.2em}
td.number,th.number{white-space:nowrap}
td code{white-space:normal}
tbody th code{white-space:nowrap}
thead code{white-space:normal;overflow-wrap:anywhere}
@media print{article{break-inside:avoid}.contents{display:none}th,td{padding-inline:0 .35rem}.number{padding-inline:.35rem 0}}
`;
