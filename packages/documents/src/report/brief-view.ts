import { formatPlural, shortenQuote } from '@agonhq/engine/view';
import type { Analysis } from '../analysis.ts';
import { listOwnRisks } from '../verdicts/decide-outlook.ts';
import { block, html, inline, type Markup, type HtmlPart, code, table } from '@agonhq/engine/reports';
import type { PeoplesWords } from '../findings/list-findings.ts';
import { careView, labelBadge, personBadge } from './claim-view.ts';
import { editBadge, findEdit } from './edit-words.ts';
import type { NumberedFinding } from './finding-list.ts';
import {
  countLabels,
  describeClaimLabel,
  describeOutlook,
  describeRule,
  findPersonVerdict,
  type Tone,
} from '../view.ts';

const icons: Record<Tone, Markup> = {
  bad: html`<path d="M15 4h18l11 11v18L33 44H15L4 33V15z" /><path class="sign" d="M24 13v14M24 34v.5" />`,
  good: html`<path d="M24 4l17 6v13c0 10-7 17-17 21C14 40 7 33 7 23V10z" /><path class="sign" d="M16 23l6 6 11-12" />`,
  between: html`<path d="M24 3a21 21 0 1 0 0 42 21 21 0 0 0 0-42z" /><path class="sign" d="M15 20h18M15 29h18" />`,
  open: html`<path d="M24 3l21 21-21 21L3 24z" /><path
      class="sign"
      d="M19 20a5 5 0 1 1 7 5c-1.5.7-2 1.5-2 3M24 34v.5"
    />`,
};
const accents: Record<Tone, string> = { bad: 'unsafe', good: 'safe', between: 'undecided', open: 'undecided' };
const mostConflicts = 5;

/** The decision brief: the outlook, the claims with their verdicts, the conflicts, the risks, the open questions. */
export function briefView(
  analysis: Analysis,
  findings: readonly NumberedFinding[],
  { corrections = [], edits = [] }: PeoplesWords,
): Markup {
  const { outlook, claims, documents, degraded, observations, seal } = analysis;
  const { title, meaning, tone } = describeOutlook(outlook.label);
  const conflicts = findings.filter(({ finding }) => finding.outcome === 'conflict');
  const risks = listOwnRisks(analysis);
  return html`<section class="verdict ${accents[tone]}" id="brief">
    <div class="label">
      <svg viewBox="0 0 48 48" aria-hidden="true">${icons[tone]}</svg>
      <div>
        <p class="kicker">
          Outlook for
          ${documents.length === 1 ? inline(documents[0]!.name) : formatPlural(documents.length, 'document')}
        </p>
        <h1>${inline(title)}</h1>
        <p>${meaning}</p>
      </div>
    </div>
    <dl class="facts">
      <div>
        <dt>Claims</dt>
        <dd>
          ${formatPlural(claims.length, 'claim')}${
            claims.length > 0 &&
            html`<span class="counts"
              >${countLabels(claims).map(([label, number]) => {
                const { tone, title } = describeClaimLabel(label);
                return html`<span class="badge verdict-badge ${tone}">${number} ${inline(title.toLowerCase())}</span>`;
              })}</span
            >`
          }
        </dd>
      </div>
      <div>
        <dt>Number checks</dt>
        <dd>
          ${
            conflicts.length === 0
              ? 'no conflict'
              : html`<strong>${formatPlural(conflicts.length, 'conflict')}</strong>`
          },
          ${findings.length - conflicts.length} hold
        </dd>
      </div>
      <div>
        <dt>Decided by</dt>
        <dd class="small">${inline(outlook.rule.why || describeRule(outlook.rule.id))}</dd>
      </div>
    </dl>
    <div class="grounds">
      ${outlook.brief !== '' ? block(outlook.brief) : html`<p class="absent">No brief was written.</p>`}
    </div>
    ${careView(degraded)}${spokenView(observations)}
    ${
      claims.length > 0 &&
      html`<div>
        ${table(
          'The claims and their verdicts',
          ['', 'Claim', 'Verdict'],
          claims.map((claim, index): HtmlPart[] => [
            html`<a href="#claim-${index + 1}">${index + 1}</a>`,
            inline(claim.subject.text),
            html`${labelBadge(claim.verdict.label)}${personBadge(
              findPersonVerdict(claim, corrections),
            )}${editBadge(findEdit(edits, claim.subject.id))}`,
          ]),
        )}
      </div>`
    }
    ${
      (conflicts.length > 0 || risks.length > 0 || outlook.questions.length > 0) &&
      html`<div class="columns">
        ${
          conflicts.length > 0 &&
          html`<div>
            <h2>Numbers in conflict</h2>
            <ul class="bullets">
              ${conflicts.slice(0, mostConflicts).map(({ finding, anchor }) => {
                const link = html`<a class="arithmetic" href="#${anchor}">${inline(finding.arithmetic)}</a>`;
                return html`<li>${inline(finding.statement)} ${link}${editBadge(findEdit(edits, anchor))}</li>`;
              })}
            </ul>
            ${
              conflicts.length > mostConflicts &&
              html`<p class="small"><a href="#numbers">and ${conflicts.length - mostConflicts} more</a></p>`
            }
          </div>`
        }
        ${
          risks.length > 0 &&
          html`<div>
            <h2>Risks</h2>
            ${bullets(risks)}
          </div>`
        }
        ${
          outlook.questions.length > 0 &&
          html`<div>
            <h2>Open questions</h2>
            ${bullets(outlook.questions)}
          </div>`
        }
      </div>`
    }
    <p class="small sealed">Sealed as ${code(seal)}</p>
  </section>`;
}

/** What the documents say to those who judge them: shown, and not obeyed. */
function spokenView(observations: Analysis['observations']): Markup | null {
  return observations.length === 0
    ? null
    : html`<div class="notice">
        <strong>The dossier addresses its judges.</strong> That text was judged like the rest, and not obeyed.
        <ul>
          ${observations.map(
            ({ of, text }) =>
              html`<li><q lang="">${inline(shortenQuote(text))}</q> <span class="small">${inline(of)}</span></li>`,
          )}
        </ul>
      </div>`;
}

const bullets = (items: readonly string[]) =>
  html`<ul class="bullets">
    ${items.map((item) => html`<li>${inline(item)}</li>`)}
  </ul>`;
