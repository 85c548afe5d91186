import {
  describeClaimLabel,
  describeRule,
  describeClaimDegradation,
  findPersonVerdict,
  listAlike,
  nameCheck,
  type PersonVerdict,
} from '../view.ts';
import { nameSeat, formatPercent } from '@agonhq/engine/view';
import type { Degradation } from '@agonhq/engine/debate';
import type { JobCorrection } from '@agonhq/judges/job/correction';
import type { GivenEdit } from '@agonhq/judges/job/findings';
import { html, block, inline, type Markup, code } from '@agonhq/engine/reports';
import { evidenceList, markLinks, placeLink } from './citation-view.ts';
import { editView, findEdit } from './edit-words.ts';
import { exchangeView, type ExchangeDrawing } from './exchange-view.ts';
import { numberedFinding, type NumberedFinding } from './finding-list.ts';

/** What the parts of a claim are drawn with. */
interface Drawing extends ExchangeDrawing {
  findings: readonly NumberedFinding[];
  corrections: readonly JobCorrection[];
  edits: readonly GivenEdit[];
}

export function labelBadge(label: string): Markup {
  const { title, tone } = describeClaimLabel(label);
  return html`<span class="badge verdict-badge ${tone}">${inline(title)}</span>`;
}

/** Whose word it is stands with it: no verdict of a person looks like one of the rules. */
export function personBadge(person: PersonVerdict | null): Markup | null {
  return (
    person &&
    html` <span class="badge">${inline(describeClaimLabel(person.label).title)}, says ${inline(person.by)}</span>`
  );
}

/** A claim with its verdict; the exchange behind it opens below. */
export function claimView(number: number, drawing: Drawing): Markup {
  const {
    exchange: { answer, anchor },
    citations,
  } = drawing;
  const { subject, verdict } = answer;
  const { tone, meaning } = describeClaimLabel(verdict.label);
  return html`<article class="card claim ${tone}" id="${anchor}">
    <header>
      <p class="kicker">Claim ${number}</p>
      ${labelBadge(verdict.label)}${personBadge(findPersonVerdict(answer, drawing.corrections))}
    </header>
    <h3 dir="auto" lang="">${inline(subject.text)}</h3>
    <p class="small">
      ${inline(nameSeat(subject.kind))} · ${inline(subject.domain)} · importance
      ${formatPercent(Math.min(Math.max(subject.importance, 0), 1))}${
        verdict.confidence !== null && ` · confidence ${formatPercent(verdict.confidence)}`
      }
    </p>
    ${
      subject.origin
        ? html`<div class="origin">
            <p class="kicker">From the sentence</p>
            <p>${placeLink(subject.origin, citations)}</p>
          </div>`
        : html`<p class="small">Not taken from the dossier: the user’s own claim.</p>`
    }
    <div class="ruling">
      <p class="kicker">Decided by ${inline(describeRule(verdict.rule.id))}</p>
      ${meaning && html`<p>${meaning}</p>`}${block(verdict.rule.why)}${evidenceList(
        verdict.evidence,
        citations,
        answer.numbers,
      )}
    </div>
    ${correctionsView(drawing)}${editView(findEdit(drawing.edits, subject.id))}
    ${verdict.escalate && html`<p class="notice"><strong>Needs human review.</strong></p>`}
    ${
      answer.roleCollapse &&
      html`<p class="notice">
        <strong>Role collapse.</strong> The dissenting seat attacked nothing, so this claim was not really tested.
      </p>`
    }
    ${numbersOf(drawing)} ${careView(verdict.degraded)} ${exchangeView(drawing)}
  </article>`;
}

/** What people said of the claim, and of claims alike. */
function correctionsView({ exchange: { answer }, corrections }: Drawing): Markup | null {
  const person = findPersonVerdict(answer, corrections);
  const alike = listAlike(answer);
  if (!person && alike.length === 0) return null;
  return html`<div class="notice correction">
    ${
      person &&
      html`<p>
          <strong>Corrected by a person.</strong> ${inline(describeClaimLabel(person.label).title)}, says
          ${inline(person.by)}
          (${person.day})${person.from !== null && html` of the same claim in ${code(person.from)}`}; the machine said
          ${inline(describeClaimLabel(person.verdict).title.toLowerCase())}.
        </p>
        ${block(person.why)}`
    }
    ${
      alike.length > 0 &&
      html`<p><strong>People corrected claims alike.</strong></p>
        <ul>
          ${alike.map((said) => html`<li>${inline(said)}</li>`)}
        </ul>`
    }
  </div>`;
}

/** What went wrong on the way, in plain words. */
export function careView(degraded: readonly Degradation[]): Markup | null {
  return degraded.length === 0
    ? null
    : html`<div class="notice">
        <strong>Read with care</strong>
        <ul>
          ${degraded.map(
            ({ kind, at, detail }) =>
              html`<li>${inline(describeClaimDegradation(kind))} (${code(at)}). ${inline(detail)}</li>`,
          )}
        </ul>
      </div>`;
}

function numbersOf({ exchange: { answer }, findings, citations }: Drawing): Markup | null {
  if (answer.numbers.length === 0) return null;
  return html`<div>
    <p class="kicker">Number checks</p>
    <ul class="checks">
      ${answer.numbers
        .toSorted((a, b) => Number(b.outcome === 'conflict') - Number(a.outcome === 'conflict'))
        .map((finding) => {
          const numbered = numberedFinding(findings, finding);
          return html`<li>
            ${outcomeBadge(finding.outcome)} ${inline(finding.statement)}
            <span class="arithmetic">${inline(finding.arithmetic)}</span>${markLinks(finding.places, citations, [])}${
              numbered &&
              html` <a class="small" href="#${numbered.anchor}"
                >${nameCheck(finding.check)}, check ${numbered.number}</a
              >`
            }
          </li>`;
        })}
    </ul>
  </div>`;
}

export function outcomeBadge(outcome: string): Markup {
  return outcome === 'conflict'
    ? html`<span class="badge risk">conflict</span>`
    : html`<span class="badge exoneration">holds</span>`;
}
