import { code, html, inline, page, section, type Markup } from '../../reports/index.ts';
import { benchStyles } from '../rendering/bench-styles.ts';
import type { Block } from '../rendering/block.ts';
import { blockBody } from '../rendering/block-markup.ts';
import { blocksOf } from './blocks.ts';
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

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
