import {
  describeAction,
  describeDegradation,
  describeLabel,
  groupDegradations,
  type DebateView,
  type Ladder,
  type LadderStep,
} from '../view/index.ts';
import type { SafetyLabel, Verdict } from '../debate/index.ts';
import type { Policy } from '../policy/index.ts';
import type { Citations } from '../view/index.ts';
import { nameClauses } from '../view/name-clauses.ts';
import { block, html, inline, type Markup, type HtmlPart } from './escape.ts';
import { clauseChips, code, riskMeter } from './parts.ts';
import { quoteList } from './quotes.ts';

const states: Record<LadderStep['state'], string> = {
  decided: 'Decided',
  passed: 'Checked, did not apply',
  'not-reached': 'Not reached',
  'not-checked': 'Not applied',
};

export function ladderView({ steps, outcome }: Ladder, citations: Citations): Markup {
  return html`<ol class="ladder">
      ${steps.map(
        (step) =>
          html`<li class="${step.state}" id="rule-${step.number}">
            <span class="rung" aria-hidden="true">${step.number}</span>
            <div>
              <header>
                <h3>${step.title}</h3>
                <span class="badge">${states[step.state]}</span>
              </header>
              <p class="question">${step.question}</p>
              <p>${step.explanation}</p>
              ${
                step.why &&
                html`<div class="finding">
                  <p class="kicker">The arbiter’s finding</p>
                  ${block(step.why)}
                </div>`
              }
              ${quoteList(step.evidence, citations)}
            </div>
          </li>`,
      )}
    </ol>
    ${
      outcome !== null &&
      html`<div class="card neutral outcome">
        <h3>None of these rules decided</h3>
        <p>${outcome}</p>
      </div>`
    }`;
}

/* Each label has a shape of its own: an octagon, a shield, a diamond. */
const icons: Record<SafetyLabel, Markup> = {
  unsafe: html`<path d="M15 4h18l11 11v18L33 44H15L4 33V15z" /><path class="sign" d="M24 13v14M24 34v.5" />`,
  safe: html`<path d="M24 4l17 6v13c0 10-7 17-17 21C14 40 7 33 7 23V10z" /><path class="sign" d="M16 23l6 6 11-12" />`,
  undecided: html`<path d="M24 3l21 21-21 21L3 24z" /><path
      class="sign"
      d="M19 20a5 5 0 1 1 7 5c-1.5.7-2 1.5-2 3M24 34v.5"
    />`,
};

export interface Banner {
  verdict: Verdict<string>;
  /** What the label means for what was judged. */
  meaning: string;
  facts: readonly (readonly [name: string, value: HtmlPart])[];
  /** The title of the rule that decided. */
  decidedBy: string;
  /** What a reader must know before anything else. */
  warnings?: HtmlPart;
}

/** What was decided, by which rule, on which evidence, and what went less well than it should have. */
export function verdictBanner(
  { verdict, meaning, facts, decidedBy, warnings }: Banner,
  citations: Citations,
  policy: Policy | undefined,
): Markup {
  const { label, title } = describeLabel(verdict.label);
  return html`<section class="verdict ${label}" id="verdict">
    <div class="label">
      <svg viewBox="0 0 48 48" aria-hidden="true">${icons[label]}</svg>
      <div>
        <p class="kicker">Verdict</p>
        <h1>${inline(title)}</h1>
        <p>${meaning}</p>
      </div>
    </div>
    ${warnings}
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <div class="grounds">
      <p class="kicker">Decided by ${inline(decidedBy)}</p>
      ${block(verdict.rule.why)}
      ${
        verdict.categories.length > 0 &&
        html`<p class="kicker">Clauses</p>
          ${clauseChips(
            nameClauses(
              verdict.categories.map((category) => category.clause),
              policy,
            ),
          )}`
      }
      ${
        verdict.evidence.length > 0 &&
        html`<p class="kicker">Evidence for the verdict</p>
          ${quoteList(verdict.evidence, citations)}`
      }
    </div>
    ${
      verdict.degraded.length > 0 &&
      html`<div class="degraded">
        <h3>Read with care</h3>
        <ul>
          ${groupDegradations(verdict.degraded).map(
            ({ kind, places, detail }) =>
              html`<li>
                <strong>${inline(describeDegradation(kind))}</strong> (${code(places.join(', '))}). ${inline(detail)}
              </li>`,
          )}
        </ul>
      </div>`
    }
  </section>`;
}

/** The risk of a verdict beside its bar, and whether a person must look. */
export function verdictFacts(
  verdict: Verdict<string>,
  { risk, sensitivity }: Pick<DebateView, 'risk' | 'sensitivity'>,
): Banner['facts'] {
  return [
    ['Risk', riskMeter(risk)],
    ...(sensitivity === null ? [] : [['Sensitivity', inline(sensitivity)] as const]),
    ...(verdict.action === undefined ? [] : [['Proposed action', inline(describeAction(verdict))] as const]),
    ['Needs human review', verdict.escalate ? html`<strong>Yes, escalated</strong>` : 'No'],
  ];
}
