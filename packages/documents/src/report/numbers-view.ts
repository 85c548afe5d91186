import { formatPlural } from '@agonhq/engine/view';
import { html, inline, type Markup } from '@agonhq/engine/reports';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import { placeLinks } from './citation-view.ts';
import { outcomeBadge } from './claim-view.ts';
import type { DocumentCitations } from './document-citations.ts';
import { editView, findEdit } from './edit-words.ts';
import type { NumberedFinding } from './finding-list.ts';
import { nameCheck } from '../view.ts';

const mostHolding = 200;

/** What the number tools found: the conflicts in full, then what holds. */
export function numbersView(
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
