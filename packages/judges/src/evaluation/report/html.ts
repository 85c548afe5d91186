import type { Policy } from '@agonhq/engine/policy';
import {
  block,
  html,
  inline,
  observationCard,
  passageList,
  renderContext,
  renderDebatePage,
  sourceCard,
  type Markup,
  type TurnCard,
} from '@agonhq/engine/reports';
import { formatScore, nameSeat, showPhrase, type ShownDistribution, type TurnView } from '@agonhq/engine/view';
import type { EvaluationAnswer } from '../evaluation-answer.ts';
import { nameBehaviour, nameMessage, nameObjection, passageWords } from '../evaluation-terms.ts';
import { viewEvaluation, type EvaluationView } from '../view.ts';
import { renderConcepts } from './concepts.ts';

/**
 * The report of an evaluation as one self-contained page: what was decided, why, the exchange, the debate, the small
 * print.
 */
export function writeEvaluationHtml(answer: EvaluationAnswer, policy: Policy | undefined): string {
  const view = viewEvaluation(answer);
  const { model } = answer.subject;
  return renderDebatePage({
    answer,
    view,
    policy,
    job: 'evaluation',
    warnings: view.warnings,
    facts: [
      ['Kind of risk', inline(showPhrase(view.concept))],
      ['What the model did', inline(showPhrase(view.behaviour))],
      ['Evaluated model', model === null ? 'not named' : inline(model)],
      ['Evaluator', view.method.title],
    ],
    ...(view.isDebate ? { whyLead: findingsLead } : {}),
    voteColumn: { title: 'What the model did', show: ({ stance }) => showPhrase(nameBehaviour(stance.behaviour)) },
    judged: [
      'The exchange',
      'Highlighted passages are quoted in the debate. A number links to the turns that quote it, and back.',
      html`${renderExchange(view)}${renderContext(answer.subject)}`,
    ],
    beforeDebate:
      view.rounds.length === 0
        ? null
        : [
            'Where each speaker sees the risk',
            'How likely is an explicit risk, an implicit risk, or none? The nearer a corner, the likelier.',
            renderConcepts(view, answer.provenance.plan.delta),
          ],
    dressTurn,
    rechecked: 'equations, the rules',
    parameters: [['Parameters', view.parameters]],
  });
}

const findingsLead =
  'The arbiter’s findings are checked in order; the first that holds with evidence decides. The arbiter states ' +
  'its findings, code applies the rules.';

/** The exchange as a conversation, what tools found in it, and its quoted passages. */
function renderExchange({ exchange, observations, citations }: EvaluationView): Markup {
  return html`<div class="conversation">
      ${exchange.map(
        (said) =>
          html`<div class="said ${findSide(said.speaker)}">
            ${sourceCard(said.source, citations, { title: renderSpeaker(said.speaker, said.source.id) })}
            ${said.observations.map((observation) => observationCard(observation, citations))}
          </div>`,
      )}
    </div>
    ${observations.map((observation) => observationCard(observation, citations))}
    ${passageList(citations, passageWords)}`;
}

function renderSpeaker(speaker: string, id: string): Markup {
  const show = (name: string) => inline(showPhrase(nameMessage(name), (own) => own));
  if (speaker === '' || speaker === id) return show(id);
  return html`${show(speaker)} <span class="badge">${inline(id)}</span>`;
}

/** The model answers from the other side of the page; a system message is addressed to neither. */
function findSide(speaker: string): string {
  if (speaker === 'assistant') return 'answers';
  return speaker === 'user' ? 'asks' : 'instructs';
}

const tones = ['auditor', 'detector', 'critic'];

function dressTurn(view: TurnView): Partial<TurnCard> {
  const { turn, stance } = view;
  return {
    tone: tones.includes(turn.role) ? turn.role : 'neutral',
    standing: renderStanding(view),
    extra: html`${
      stance.behaviour !== null &&
      html`<p class="small">
        What the model did: ${inline(showPhrase(nameBehaviour(stance.behaviour)).toLowerCase())}
      </p>`
    }${renderObjections(view)}`,
  };
}

/** Where a seat stands: its label, what it was before, and how it spreads the risk. */
function renderStanding({ turn, stance, previous }: TurnView): TurnCard['standing'] {
  const { label, distribution } = stance;
  if (turn.fallback) return { word: html`<span class="badge">no answer</span>`, line: null };
  const before = previous?.stance.label ?? null;
  const side = label === 'unsafe' ? 'risk' : label === 'safe' ? 'exoneration' : '';
  return {
    word: html`${label !== null && html`<span class="badge ${side}">${inline(label)}</span>`}${
      before !== null && label !== null && before !== label && html`<span class="small">was ${inline(before)}</span>`
    }`,
    line: distribution && renderDistribution(distribution),
  };
}

/** A distribution as a bar of three parts, with its numbers. */
function renderDistribution({ explicit, implicit, none }: ShownDistribution): Markup {
  const width = (share: number) => Math.round(share * 100);
  return html`<div class="distribution">
    <div class="shares" aria-hidden="true">
      <span class="explicit" style="width:${width(explicit)}%"></span
      ><span class="implicit" style="width:${width(implicit)}%"></span
      ><span class="none" style="width:${width(none)}%"></span>
    </div>
    <p class="small">
      explicit ${formatScore(explicit)} · implicit ${formatScore(implicit)} · none ${formatScore(none)}
    </p>
  </div>`;
}

function renderObjections({ turn, stance: { objections } }: TurnView): Markup | null {
  if (turn.role !== 'critic' || turn.fallback) return null;
  if (objections.length === 0) return html`<p class="small">No objection.</p>`;
  return html`<div>
    <p class="kicker">Objections</p>
    <ul class="objections">
      ${objections.map(
        ({ to, kind, point, material }) =>
          html`<li>
            <p>
              <strong>${inline(showPhrase(nameObjection(kind), nameSeat))}</strong>, to the ${inline(to)}
              <span class="badge${material && ' material'}">${material ? 'material' : 'minor'}</span>
            </p>
            ${block(point)}
          </li>`,
      )}
    </ul>
  </div>`;
}
