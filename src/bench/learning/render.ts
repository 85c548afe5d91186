import { code, codeSpan, documentOf, html, inline, page } from '../../reports/index.ts';
import { benchStyles } from '../rendering/bench-styles.ts';
import { blockLines } from '../rendering/block-markdown.ts';
import { blockBody } from '../rendering/block-markup.ts';
import type { LearningReport } from './report.ts';
import { figureThree } from './words.ts';

/** The experiment on several sets of data as one page that needs nothing else. */
export function learningPage(reports: readonly LearningReport[]): string {
  return page(
    'Learning bench',
    html`<header class="masthead">
        <p><b>Agon</b> learning bench</p>
        <p class="small">${subtitle(reports[0]!)}</p>
      </header>
      <main>
        <h1>Learning from mistakes</h1>
        ${reports.map(
          (report) =>
            html`<section class="set">
              <h2>${inline(report.data.file)}</h2>
              <p class="lead">Curator ${code(report.parameters.curator)}. sha256 ${code(report.data.sha256)}</p>
              ${blockBody(figureThree(report))}
            </section>`,
        )}
      </main>
      <footer class="small">
        This page runs no script and loads nothing. The same judgements give the same intervals.
      </footer>`,
    benchStyles,
  );
}

/** The same as Markdown. */
export function learningMarkdown(reports: readonly LearningReport[]): string {
  return documentOf([
    '# Learning bench',
    subtitle(reports[0]!),
    ...reports.flatMap((report) => [
      `## ${codeSpan(report.data.file)}`,
      `Curator ${codeSpan(report.parameters.curator)}, sha256 ${codeSpan(report.data.sha256)}.`,
      ...blockLines(figureThree(report), 3),
    ]),
  ]);
}

function subtitle({ parameters: { mode, batches, repeats } }: LearningReport): string {
  return `${batches} batches · ${mode === 'all' ? 'all items indexed' : 'failures indexed'} · ${repeats} ${repeats === 1 ? 'repeat' : 'repeats'}`;
}
