import { describeFailure, nameSeat, formatPercent, formatPlural } from '../../../view/index.ts';
import type { Degradation } from '../../../debate/index.ts';
import type { Correction } from '../../correction.ts';
import type { GivenEdit } from '../../findings.ts';
import type { AbsenceSearch } from '../index.ts';
import { html, block, inline, type Markup, code, scoreBar } from '../../../reports/index.ts';
import { evidenceList, markLinks, placeLink } from './citation-view.ts';
import type { DocumentCitations } from './document-citations.ts';
import { editView, findEdit } from './edit-words.ts';
import type { Attack, Exchange, Premise, Reply, Ruling, Step } from './exchange.ts';
import { numberedFinding, type NumberedFinding } from './finding-list.ts';
import {
  nameAttack,
  nameCheck,
  describeDegradation,
  describeLabel,
  describeRule,
  findPersonVerdict,
  listAlike,
  nameStep,
  nameStrength,
  type PersonVerdict,
} from '../view.ts';

/** What the parts of a claim are drawn with. */
interface Drawing {
  exchange: Exchange;
  citations: DocumentCitations;
  findings: readonly NumberedFinding[];
  corrections: readonly Correction[];
  edits: readonly GivenEdit[];
}

export function labelBadge(label: string): Markup {
  const { title, tone } = describeLabel(label);
  return html`<span class="badge verdict-badge ${tone}">${inline(title)}</span>`;
}

/** Whose word it is stands with it: no verdict of a person looks like one of the rules. */
export function personBadge(person: PersonVerdict | null): Markup | null {
  return (
    person && html` <span class="badge">${inline(describeLabel(person.label).title)}, says ${inline(person.by)}</span>`
  );
}

/** A claim with its verdict; the exchange behind it opens below. */
export function claimView(number: number, drawing: Drawing): Markup {
  const {
    exchange: { answer, anchor },
    citations,
  } = drawing;
  const { subject, verdict } = answer;
  const { tone, meaning } = describeLabel(verdict.label);
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
      }${verdict.probability !== null && ` · calibrated probability ${formatPercent(verdict.probability)}`}
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
    ${correctionsView(drawing)}${editView(findEdit(drawing.edits, subject.id))}${verdict.escalate && html`<p class="notice"><strong>Needs human review.</strong></p>`}
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
          <strong>Corrected by a person.</strong> ${inline(describeLabel(person.label).title)}, says
          ${inline(person.by)}
          (${person.day})${person.from !== null && html` of the same claim in ${code(person.from)}`}; the machine said
          ${inline(describeLabel(person.verdict).title.toLowerCase())}.
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
              html`<li>${inline(describeDegradation(kind))} (${code(at)}). ${inline(detail)}</li>`,
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

function exchangeView(drawing: Drawing): Markup | null {
  const { steps, strays } = drawing.exchange;
  if (steps.length === 0 && strays.length === 0) return null;
  const attacks = steps.flatMap((step) => step.attacks);
  const conceded = new Set(
    steps
      .flatMap((step) => step.replies)
      .filter(({ concedes }) => concedes)
      .map(({ attack }) => attack),
  ).size;
  const premises = steps.reduce((sum, step) => sum + step.premises.length, 0);
  const summary = [
    premises > 0 && formatPlural(premises, 'premise'),
    attacks.length > 0 && formatPlural(attacks.length, 'attack'),
    conceded > 0 && `${conceded} conceded`,
  ]
    .filter((part) => part !== false)
    .join(', ');
  return html`<details class="exchange">
    <summary>The debate${summary && `: ${summary}`}</summary>
    ${steps.map((step) => stepView(step, drawing))}${strays.map(
      (search) => html`<div class="step">${searchView(search, drawing)}</div>`,
    )}
  </details>`;
}

function stepView(step: Step, drawing: Drawing): Markup {
  const { turn, parts } = step;
  return html`<section class="step" id="${step.anchor}">
    <header>
      <h4>${inline(nameStep(turn.key))}</h4>
      <p class="small">${inline(nameSeat(turn.role))}, ${code(turn.reasoner)}</p>
      ${turn.score !== null && !turn.fallback && html`<p class="small">for the claim ${scoreBar(turn.score)}</p>`}
    </header>
    ${
      turn.fallback &&
      html`<p class="notice">
        <strong>Fallback.</strong> This seat gave no usable answer: ${inline(describeFailure(turn.fallback.reason))}.
        ${inline(turn.fallback.detail)}
      </p>`
    }
    ${turn.statement !== '' && block(turn.statement)}
    ${
      step.premises.length > 0 &&
      html`<ol class="points">
        ${step.premises.map((premise) => premiseView(premise, drawing))}
      </ol>`
    }
    ${
      step.attacks.length > 0 &&
      html`<ol class="points">
        ${step.attacks.map((attack) => attackView(attack, drawing))}
      </ol>`
    }
    ${
      step.replies.length > 0 &&
      html`<ol class="points">
        ${step.replies.map((reply) => replyView(reply, drawing))}
      </ol>`
    }
    ${
      step.rulings.length > 0 &&
      html`<ol class="points">
        ${step.rulings.map((ruling) => rulingView(ruling, drawing))}
      </ol>`
    }
    ${parts.support && standingView(parts.standing, drawing)}
    ${evidenceList(step.evidence, drawing.citations, drawing.exchange.answer.numbers)}
    ${
      turn.notes &&
      turn.notes.length > 0 &&
      html`<ul class="notes small">
        ${turn.notes.map((note) => html`<li>${inline(note)}</li>`)}
      </ul>`
    }
  </section>`;
}

const evidenceOf = ({ evidence }: { evidence: Premise['evidence'] }, { citations, exchange }: Drawing) =>
  evidenceList(evidence, citations, exchange.answer.numbers);

function premiseView(premise: Premise, drawing: Drawing): Markup {
  return html`<li class="point for" id="${premise.anchor}">
    <p class="point-title">Premise ${premise.number}</p>
    ${block(premise.premise)}${evidenceOf(premise, drawing)}${
      premise.evidence.length === 0 && html`<p class="small">Nothing is cited for it.</p>`
    }
  </li>`;
}

/** An attack says what it attacks, and leads to the attacked sentence. */
function attackView(attack: Attack, drawing: Drawing): Markup {
  const {
    citations,
    exchange: { answer },
  } = drawing;
  const attacked = attack.target
    ? attack.target.evidence
    : attack.premise === 0 && answer.subject.origin
      ? [answer.subject.origin]
      : [];
  const marks = markLinks(attacked, citations, answer.numbers);
  return html`<li class="point against" id="${attack.anchor}">
    <p class="point-title">
      Attack ${attack.number}:
      ${inline(nameAttack(attack.kind))}${
        attack.stands !== null &&
        html` <span class="badge${attack.stands && ' risk'}">${attack.stands ? 'still stands' : 'answered'}</span>`
      }
    </p>
    <p class="small">
      Attacks
      ${
        attack.target
          ? html`<a href="#${attack.target.anchor}">premise ${attack.premise}</a>`
          : attack.premise === 0
            ? html`<a href="#${drawing.exchange.anchor}">the claim itself</a>`
            : `premise ${attack.premise}, which is not there`
      }${marks && html`; the attacked words:${marks}`}
    </p>
    ${block(attack.point)}${evidenceOf(attack, drawing)}
    ${attack.searches.map((search) => searchView(search, drawing))}${
      attack.missing.length > 0 &&
      attack.searches.length === 0 &&
      html`<p class="small struck">
        Claims that something is missing (${terms(attack.missing)}), but no search for it is on record: it is not
        accepted.
      </p>`
    }
  </li>`;
}

const terms = (words: readonly string[]) =>
  words.map((word, index) => html`${index > 0 && ', '}<q lang="">${inline(word)}</q>`);

/** A claim of absence with the search that carries it, or does not. */
function searchView({ terms: words, found, blocksRead, accepted }: AbsenceSearch, { citations }: Drawing): Markup {
  return html`<div class="search">
    <p>
      <span class="badge${accepted ? ' exoneration' : ' risk'}"
        >${accepted ? 'absence accepted' : 'absence rejected'}</span
      >
      Looked for ${terms(words)} in ${formatPlural(blocksRead, 'block')}:
      ${found.length === 0 ? 'not found.' : `found ${formatPlural(found.length, 'time')}.`}
    </p>
    ${
      found.length > 0 &&
      html`<ul class="places">
        ${found.map(
          ({ term, place, quote, near }) =>
            html`<li>
              ${
                citations.citedBy(place)
                  ? placeLink(place, citations)
                  : html`<span class="number-tag" aria-hidden="true">–</span>${inline(quote)}`
              }
              <span class="small">${near ? 'near match of' : 'matches'} <q lang="">${inline(term)}</q></span>
            </li>`,
        )}
      </ul>`
    }
  </div>`;
}

function replyView(reply: Reply, drawing: Drawing): Markup {
  return html`<li class="point ${reply.concedes ? 'conceded' : 'for'}" id="${reply.anchor}">
    <p class="point-title">
      ${reply.concedes ? 'Concedes' : 'Rebuts'}
      ${
        reply.target
          ? html`<a href="#${reply.target.anchor}">attack ${reply.attack}</a>`
          : `attack ${reply.attack}, which is not there`
      }
    </p>
    ${block(reply.point)}${evidenceOf(reply, drawing)}
  </li>`;
}

function rulingView(ruling: Ruling, drawing: Drawing): Markup {
  const {
    name,
    finding: { holds, strength, why },
  } = ruling;
  const words =
    name === 'support'
      ? `Does the dossier say so? ${holds ? 'Yes' : 'No'}`
      : `Does the dossier say otherwise? ${holds ? 'Yes' : 'No'}`;
  return html`<li class="point ${holds ? (name === 'support' ? 'for' : 'against') : ''}" id="${ruling.anchor}">
    <p class="point-title">${words}${name === 'support' && strength && html`, ${inline(nameStrength(strength))}`}</p>
    ${why !== '' && block(why)}${evidenceOf(ruling, drawing)}
  </li>`;
}

function standingView(standing: readonly number[], { exchange }: Drawing): Markup {
  const attacks = new Map(exchange.steps.flatMap((step) => step.attacks).map((attack) => [attack.number, attack]));
  if (standing.length === 0) return html`<p class="small">No attack still stands.</p>`;
  return html`<p class="small">
    Still stand:
    ${standing.map((number, index) => {
      const attack = attacks.get(number);
      const link = attack && html`<a href="#${attack.anchor}">attack ${number}</a>`;
      return html`${index > 0 && ', '}${link ?? `attack ${number}, which is not there`}`;
    })}.
  </p>`;
}
