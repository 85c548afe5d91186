import { isObservation, turnsOf, type Observation } from '../debate/index.ts';
import type { Source } from '../evidence/index.ts';
import type { JudgedImage } from '../moderation/index.ts';
import { passagesIn, type Citations } from './citations.ts';
import { html, inline, withChips, type Markup } from './escape.ts';
import { highlight } from './highlight.ts';
import { observationsOf, type ModerationAnswer } from './moderation-answer.ts';
import { code } from './parts.ts';
import { passageLink, shortened } from './quotes.ts';
import { count, failureWords } from './words.ts';

const picture = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]+=*$/;

/** What was judged: its texts with their marks, its images, and what tools observed in them. */
export function content(answer: ModerationAnswer, citations: Citations, images: Record<string, string>): Markup {
  const ofImages = new Set(answer.subject.images.flatMap((image) => observationsOf(answer, image.id)));
  const texts = answer.sources.filter((source) => !isObservation(source));
  const ofTexts = answer.sources.filter(isObservation).filter((observation) => !ofImages.has(observation));
  return html`${texts.map((source) => sourceCard(source, citations))}
${ofTexts.map((observation) => observationCard(observation, citations))}
${answer.subject.images.map((image) => html`<figure class="image"><figcaption><h3>${inline(image.id)}</h3><p class="small">${imageFacts(image)}</p></figcaption>
${imageView(answer, image, Object.hasOwn(images, image.id) ? images[image.id]! : '')}
${unheard(answer, image)}
${observationsOf(answer, image.id).map((observation) => observationCard(observation, citations))}</figure>`)}
${passageList(citations)}`;
}

function sourceCard(source: Source, citations: Citations): Markup {
  return html`<div class="content"><h3>${inline(source.id)}<span class="small"> ${count(source.text.length)} characters, as judged</span></h3>${highlight(source.text, passagesIn(citations, source))}</div>`;
}

function observationCard(observation: Observation, citations: Citations): Markup {
  return html`<div class="content observation"><h3><span class="badge">Observation</span> ${inline(observation.id)}</h3>
<p class="small">${originOf(observation)}${observation.note !== undefined && html` ${inline(observation.note)}`}</p>
${highlight(observation.text, passagesIn(citations, observation))}</div>`;
}

function originOf({ of, tool }: Observation): Markup {
  if (tool === 'given') return html`A description that was given in place of ${inline(of)}.`;
  if (tool === 'placeholder') return html`Stands in for ${inline(of)}: nobody may quote it.`;
  return html`Not the content’s own words: drawn from ${inline(of)} by the tool ${code(tool)}.`;
}

function imageView(answer: ModerationAnswer, image: JudgedImage, data: string): Markup {
  if (!picture.test(data)) return html`<p class="absent">The picture itself is not part of this report.</p>`;
  const unsafe = answer.verdict.label === 'unsafe';
  return html`<details${unsafe ? null : html` open`}><summary>${unsafe ? 'Show the picture (judged unsafe)' : 'The picture'}</summary><img src="${data}" alt="${image.id}, described below"></details>`;
}

function imageFacts(image: JudgedImage): Markup[] {
  const facts = [
    image.width !== null && image.height !== null && html`${count(image.width)} × ${count(image.height)} pixels`,
    image.mediaType !== null && inline(image.mediaType),
    image.hash === null ? html`only a description was given` : code(image.hash),
  ];
  return facts.filter((fact) => fact !== false).map((fact, index) => html`${index > 0 && ' · '}${fact}`);
}

function unheard(answer: ModerationAnswer, image: JudgedImage): Markup[] {
  return turnsOf(answer.transcript)
    .filter((turn) => turn.role === 'preprocessor' && turn.key.startsWith(`${image.id}/`))
    .map((turn) => turn.fallback
      ? html`<p class="notice"><strong>Not seen.</strong> ${code(turn.reasoner)} did not describe this image: ${failureWords(turn.fallback.reason)}. ${inline(turn.fallback.detail)}</p>`
      : html`<p class="small">Described by ${code(turn.reasoner)}.</p>`);
}

/** Every quoted passage with everybody who quotes it. */
function passageList(citations: Citations): Markup | null {
  if (citations.passages.length === 0) return null;
  const names = { risk: 'risk', exoneration: 'exoneration' };
  return html`<div class="passages"><h3>Quoted passages</h3>
<p class="small legend-line"><mark class="risk">quoted for the risk</mark> <mark class="exoneration">quoted for exoneration</mark> <mark class="both">quoted by both sides</mark></p>
<ol class="quotes">${citations.passages.map((passage) => html`<li>${passageLink(passage.number)}<div><q class="quote" dir="auto" lang="">${withChips(shortened(passage.quote))}</q>
<p class="small">${passage.quoters.map((quoter, index) => html`${index > 0 && ' · '}<a href="#${quoter.anchor}">${inline(quoter.speaker)}</a> (${names[quoter.side]})`)}</p></div></li>`)}</ol></div>`;
}
