import {
  type Citations,
  html,
  inline,
  type Markup,
  observationCard,
  passageList,
  sourceCard,
} from '../../../reports/index.ts';
import { passageWords } from './quotations.ts';
import type { ReadableAnswer } from './readable-answer.ts';
import { known } from './words.ts';

/** The exchange as a conversation, what tools found in it, and its quoted passages. */
export function exchangeView(answer: ReadableAnswer, citations: Citations): Markup {
  return html`<div class="conversation">
      ${answer.exchange.map(
        ({ speaker, source, observations }) =>
          html`<div class="said ${side(speaker)}">
            ${sourceCard(source, citations, { title: titleOf(speaker, source.id) })}
            ${observations.map((observation) => observationCard(observation, citations))}
          </div>`,
      )}
    </div>
    ${answer.observations.map((observation) => observationCard(observation, citations))}
    ${passageList(citations, passageWords)}`;
}

function titleOf(speaker: string, id: string): Markup {
  if (speaker === '' || speaker === id) return inline(known.speaker(id));
  return html`${inline(known.speaker(speaker))} <span class="badge">${inline(id)}</span>`;
}

/** The model answers from the other side of the page; a system message is addressed to neither. */
function side(speaker: string): string {
  if (speaker === 'assistant') return 'answers';
  return speaker === 'user' ? 'asks' : 'instructs';
}
