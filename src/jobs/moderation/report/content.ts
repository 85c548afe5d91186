import { formatCount, describeFailure } from '../../../view/index.ts';
import { isObservation, findTurns } from '../../../debate/index.ts';
import type { JudgedImage } from '../index.ts';
import {
  type Citations,
  html,
  inline,
  type Markup,
  code,
  observationCard,
  passageList,
  sourceCard,
} from '../../../reports/index.ts';
import { observationsOf, type ModerationAnswer } from './moderation-answer.ts';
import { passageWords } from './quotations.ts';

const picture = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]+=*$/;

/** What was judged: its texts with their marks, its images, and what tools observed in them. */
export function content(answer: ModerationAnswer, citations: Citations, images: Record<string, string>): Markup {
  const ofImages = new Set(answer.subject.images.flatMap((image) => observationsOf(answer, image.id)));
  const texts = answer.sources.filter((source) => !isObservation(source));
  const ofTexts = answer.sources.filter(isObservation).filter((observation) => !ofImages.has(observation));
  return html`${texts.map((source) => sourceCard(source, citations))}
  ${ofTexts.map((observation) => observationCard(observation, citations))}
  ${answer.subject.images.map(
    (image) =>
      html`<figure class="image">
        <figcaption>
          <h3>${inline(image.id)}</h3>
          <p class="small">${imageFacts(image)}</p>
        </figcaption>
        ${imageView(answer, image, Object.hasOwn(images, image.id) ? images[image.id]! : '')} ${unheard(answer, image)}
        ${observationsOf(answer, image.id).map((observation) => observationCard(observation, citations))}
      </figure>`,
  )}
  ${passageList(citations, passageWords)}`;
}

function imageView(answer: ModerationAnswer, image: JudgedImage, data: string): Markup {
  if (!picture.test(data)) return html`<p class="absent">The picture itself is not part of this report.</p>`;
  const unsafe = answer.verdict.label === 'unsafe';
  return html`<details${unsafe ? null : html` open`}><summary>${unsafe ? 'Show the picture (judged unsafe)' : 'The picture'}</summary><img src="${data}" alt="${image.id}, described below"></details>`;
}

function imageFacts(image: JudgedImage): Markup[] {
  const facts = [
    image.width !== null &&
      image.height !== null &&
      html`${formatCount(image.width)} × ${formatCount(image.height)} pixels`,
    image.mediaType !== null && inline(image.mediaType),
    image.hash === null ? html`only a description was given` : code(image.hash),
  ];
  return facts.filter((fact) => fact !== false).map((fact, index) => html`${index > 0 && ' · '}${fact}`);
}

function unheard(answer: ModerationAnswer, image: JudgedImage): Markup[] {
  return findTurns(answer.transcript)
    .filter((turn) => turn.role === 'preprocessor' && turn.key.startsWith(`${image.id}/`))
    .map((turn) =>
      turn.fallback
        ? html`<p class="notice">
            <strong>Not seen.</strong> ${code(turn.reasoner)} did not describe this image:
            ${describeFailure(turn.fallback.reason)}. ${inline(turn.fallback.detail)}
          </p>`
        : html`<p class="small">Described by ${code(turn.reasoner)}.</p>`,
    );
}
