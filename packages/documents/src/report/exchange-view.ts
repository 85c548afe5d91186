import { html, block, inline, type Markup, code, scoreBar } from '@agonhq/engine/reports';
import { describeFailure, formatPlural, nameSeat } from '@agonhq/engine/view';
import type { AbsenceSearch } from '../index.ts';
import { nameAttack, nameStep, nameStrength } from '../view.ts';
import { evidenceList, markLinks, placeLink } from './citation-view.ts';
import type { DocumentCitations } from './document-citations.ts';
import type {
  ExchangeAttack,
  ClaimExchange,
  ExchangePremise,
  ExchangeReply,
  ExchangedRuling,
  ExchangeStep,
} from './exchange.ts';

/** What the debate on a claim is drawn with. */
export interface ExchangeDrawing {
  exchange: ClaimExchange;
  citations: DocumentCitations;
}

export function exchangeView(drawing: ExchangeDrawing): Markup | null {
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

function stepView(step: ExchangeStep, drawing: ExchangeDrawing): Markup {
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

const evidenceOf = (
  { evidence }: { evidence: ExchangePremise['evidence'] },
  { citations, exchange }: ExchangeDrawing,
) => evidenceList(evidence, citations, exchange.answer.numbers);

function premiseView(premise: ExchangePremise, drawing: ExchangeDrawing): Markup {
  return html`<li class="point for" id="${premise.anchor}">
    <p class="point-title">Premise ${premise.number}</p>
    ${block(premise.premise)}${evidenceOf(premise, drawing)}${
      premise.evidence.length === 0 && html`<p class="small">Nothing is cited for it.</p>`
    }
  </li>`;
}

/** An attack says what it attacks, and leads to the attacked sentence. */
function attackView(attack: ExchangeAttack, drawing: ExchangeDrawing): Markup {
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
function searchView(
  { terms: words, found, blocksRead, accepted }: AbsenceSearch,
  { citations }: ExchangeDrawing,
): Markup {
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

function replyView(reply: ExchangeReply, drawing: ExchangeDrawing): Markup {
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

function rulingView(ruling: ExchangedRuling, drawing: ExchangeDrawing): Markup {
  const {
    name,
    finding: { holds, strength, why },
  } = ruling;
  const words =
    name === 'support'
      ? `Does the dossier say so? ${holds ? 'Yes' : 'No'}`
      : `Does a passage say otherwise? ${holds ? 'Yes' : 'No'}`;
  return html`<li class="point ${holds ? (name === 'support' ? 'for' : 'against') : ''}" id="${ruling.anchor}">
    <p class="point-title">${words}${name === 'support' && strength && html`, ${inline(nameStrength(strength))}`}</p>
    ${why !== '' && block(why)}${evidenceOf(ruling, drawing)}
  </li>`;
}

function standingView(standing: readonly number[], { exchange }: ExchangeDrawing): Markup {
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
