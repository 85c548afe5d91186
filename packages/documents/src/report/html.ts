import type { ReportExtras } from '@agonhq/judges/job/job-report';
import type { Analysis, Block, ReportDocument } from '../index.ts';
import {
  costSection,
  html,
  inline,
  page,
  code,
  section,
  provenance,
  recordTable,
  type Markup,
} from '@agonhq/engine/reports';
import { briefView } from './brief-view.ts';
import { claimView, outcomeBadge } from './claim-view.ts';
import { documentCitations, type DocumentCitations } from './document-citations.ts';
import { blockAnchor, documentView, type DocumentView } from './document-view.ts';
import { exchangeOf } from './exchange.ts';
import { findingsOf, type NumberedFinding } from './finding-list.ts';
import { isLongDocument } from './shown-blocks.ts';
import { readAsset } from '@agonhq/engine/package-folder';
import { nameMethod, describeOutlook, sideWords, nameCheck } from '../view.ts';
import { formatPlural } from '@agonhq/engine/view';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import { placeLinks } from './citation-view.ts';
import { editView, findEdit } from './edit-words.ts';

const numbersRecomputed =
  'Values from texts and tables, recomputed by code: statements against tables, totals against their parts, growth ' +
  'against values.';

/** The debate trace as one self-contained page: the brief, then claims and verdicts beside the documents they cite. */
export function writeAnalysisHtml(analysis: Analysis, { corrections = [], edits = [] }: ReportExtras = {}): string {
  const exchanges = analysis.claims.map(exchangeOf);
  const findings = findingsOf(analysis);
  const citations = documentCitations(analysis, exchanges, findings);
  const blocks = blocksById(analysis.documents);
  const referred = new Set(analysis.coverage.flatMap(({ block }) => blocks.get(block)?.block ?? []));
  const long = isLongDocument(analysis.documents);
  const views = analysis.documents.map((document, index): DocumentView => ({
    document,
    anchor: `document-${index + 1}`,
    passages: citations.passagesIn(document),
    referred,
    long,
  }));
  const { usage } = analysis;
  return page(
    `${describeOutlook(analysis.outlook.label).title}: analysis ${analysis.id}`,
    html`<header class="masthead wide">
        <p><b>Agon</b> debate trace</p>
        <p class="small">${code(analysis.id)}</p>
      </header>
      <main>
        <div class="wide">${briefView(analysis, findings, { corrections, edits })}</div>
        <div class="workspace">
          <section tabindex="0" aria-label="Claims and verdicts">
            <h2>Claims and verdicts</h2>
            <div class="pane-note">
              <p class="small">
                Judged by ${inline(nameMethod(analysis.provenance.plan.method))}. A number links to the cited words in
                the documents.
              </p>
              <button type="button" id="open-all" hidden>Open all debates</button>
            </div>
            <div class="claims">
              ${exchanges.map((exchange, index) => claimView(index + 1, { exchange, citations, findings, corrections, edits }))}${
                exchanges.length === 0 && html`<p class="absent">No claim was found.</p>`
              }
            </div>
          </section>
          <section tabindex="0" aria-label="The documents">
            <h2>The ${analysis.documents.length === 1 ? 'document' : 'documents'}</h2>
            <p class="small legend-line">
              ${sideWords.map(([side, words]) => html`<mark class="${side}">${words}</mark> `)}
            </p>
            ${long && html`<p class="small">This dossier is long: only cited passages and their context are shown.</p>`}
            ${views.map(documentView)}
          </section>
        </div>
        <div class="wide">
          <div id="numbers">${section('Numbers', numbersRecomputed, numbersView(findings, citations, edits))}</div>
          ${section(
            'Not debated',
            'Blocks that assert much but yielded no claim.',
            coverageView(analysis, blocks, views),
          )}
          ${costSection(usage)}
          ${section(
            'Provenance',
            html`To check this trace, save it as JSON and run <code>agon verify trace.json</code>. It rechecks every
              quotation, the arithmetic, the rules and the hashes, without a model or a network.`,
            html`${provenance(analysis)}
              <details class="exchange record">
                <summary>The record, entry by entry</summary>
                ${recordTable({
                  transcript: [...analysis.transcript, ...analysis.claims.flatMap(({ transcript }) => transcript)],
                })}
              </details>`,
          )}
        </div>
      </main>
      <footer class="small wide">
        This page loads nothing. Texts are shown as given; invisible characters are shown by name, as in
        <span class="control">U+202E</span>.
      </footer>`,
    readAsset('analysis-report.css'),
    readAsset('analysis-report.js'),
  );
}

interface Standing {
  document: ReportDocument;
  block: Block;
  index: number;
}

function blocksById(documents: readonly ReportDocument[]): Map<string, Standing> {
  return new Map(
    documents.flatMap((document) =>
      document.blocks.map((block, index): [string, Standing] => [
        `${document.name}#${block.id}`,
        { document, block, index },
      ]),
    ),
  );
}

function coverageView(
  { coverage }: Analysis,
  blocks: ReadonlyMap<string, Standing>,
  views: readonly DocumentView[],
): Markup {
  if (coverage.length === 0) return html`<p>Every such block yielded a claim.</p>`;
  return html`<ul class="quotes">
    ${coverage.map(({ block, quote, why }) => {
      const standing = blocks.get(block);
      const view = standing && views.find(({ document }) => document === standing.document);
      return html`<li>
        ${
          view
            ? html`<a class="number-tag" href="#${blockAnchor(view, standing.index)}" aria-label="Show the block">↑</a>`
            : html`<span class="number-tag" aria-hidden="true">–</span>`
        }
        <div>
          <q class="quote" dir="auto" lang="">${inline(quote)}</q>
          <p class="small">${inline(block)}: ${inline(why)}</p>
        </div>
      </li>`;
    })}
  </ul>`;
}

const mostHolding = 200;

/** What the number tools found: the conflicts in full, then what holds. */
function numbersView(
  findings: readonly NumberedFinding[],
  citations: DocumentCitations,
  edits: readonly GivenEdit[],
): Markup {
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const holding = findings.filter(({ finding }) => finding.outcome !== 'conflict');
  const shown = holding.filter(({ claims }, index) => index < mostHolding || claims.length > 0);
  const list = (some: readonly NumberedFinding[]) =>
    html`<ol class="findings">
      ${some.map((finding) => findingView(finding, citations, findEdit(edits, finding.anchor)))}
    </ol>`;
  return html`${conflicts.length > 0 ? list(conflicts) : html`<p>No conflict was found.</p>`}
  ${
    holding.length > 0 &&
    html`<details class="exchange">
      <summary>${formatPlural(holding.length, 'check')} that hold${holding.length === 1 && 's'}</summary>
      ${list(shown)}${
        shown.length < holding.length &&
        html`<p class="small">
          ${formatPlural(holding.length - shown.length, 'more check')} that hold are in the JSON trace.
        </p>`
      }
    </details>`
  }`;
}

function findingView(
  { finding, number, anchor, claims }: NumberedFinding,
  citations: DocumentCitations,
  edit: GivenEdit | null,
): Markup {
  return html`<li class="card ${finding.outcome === 'conflict' ? 'risk' : 'neutral'}" id="${anchor}">
    <header>
      <p class="kicker">Check ${number}: ${inline(nameCheck(finding.check))}</p>
      ${outcomeBadge(finding.outcome)}
    </header>
    <p>${inline(finding.statement)}</p>
    <p class="arithmetic">${inline(finding.arithmetic)}</p>
    ${placeLinks(finding.places, citations)}${editView(edit)}
    ${
      claims.length > 0 &&
      html`<p class="small">
        Concerns ${claims.map((claim, index) => html`${index > 0 && ', '}<a href="#claim-${claim}">claim ${claim}</a>`)}
      </p>`
    }
  </li>`;
}
