import { isObservation } from '@agonhq/engine/debate';
import { describePictureMatch } from '@agonhq/engine/fingerprint';
import {
  block,
  code,
  html,
  inline,
  nameMoment,
  observationCard,
  passageList,
  renderContext,
  renderDebatePage,
  sourceCard,
  turnCard,
  type Markup,
} from '@agonhq/engine/reports';
import {
  describeFailure,
  describeLabel,
  findWords,
  formatPercent,
  formatPlural,
  type Citations,
} from '@agonhq/engine/view';
import type { ReportExtras } from '../../job/job-report.ts';
import type { ModerationAnswer } from '../moderation-answer.ts';
import {
  passageWords,
  viewModeration,
  type ImageView,
  type ModerationView,
  type PrecedentsView,
  type RecordingView,
} from '../view.ts';
import { renderScoreChart } from './score-chart.ts';

/** The report as one self-contained page: what was decided, why, the trial, the small print. */
export function writeModerationHtml(
  answer: ModerationAnswer,
  { images = {}, recordings = {}, policy }: Pick<ReportExtras, 'images' | 'recordings' | 'policy'>,
): string {
  const view = viewModeration(answer);
  const { isDebate } = view;
  return renderDebatePage({
    answer,
    view,
    policy,
    job: 'moderation',
    note: answer.subject.modality,
    facts: isDebate ? [] : [['Method', view.method.title]],
    judged: [
      'What was judged',
      `Highlighted passages are quoted ${isDebate ? 'in the debate' : 'by the judges'}. ` +
        'A number links to the turns that quote it, and back.',
      html`${renderContent(answer, view, { images, recordings })}${renderContext(answer.subject)}`,
    ],
    chart: isDebate && renderScoreChart(view.scores),
    afterDebate: isDebate ? ['Precedents', null, html`${renderBrief(view)}${renderPrecedents(view.precedents)}`] : null,
    rechecked: isDebate ? 'order of the rules' : 'rules',
  });
}

const picture = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/]+=*$/;

/** What was judged: its texts with their marks, its images, and what tools observed in them. */
function renderContent(
  { sources, verdict }: ModerationAnswer,
  { citations, images, recordings }: ModerationView,
  files: Required<Pick<ReportExtras, 'images' | 'recordings'>>,
): Markup {
  const findPlace = (id: string) => readPlace(findWords(files.recordings, id) ?? '');
  const ofMedia = new Set([...images, ...recordings].flatMap(({ observations }) => observations));
  const ofTexts = sources.filter(isObservation).filter((observation) => !ofMedia.has(observation));
  return html`${sources.filter((source) => !isObservation(source)).map((source) => sourceCard(source, citations))}
  ${ofTexts.map((observation) => observationCard(observation, citations))}
  ${recordings.map((view) => renderRecording(view, citations, findPlace(view.recording.id)))}
  ${images.map(
    (view, index) =>
      html`<figure class="image" ${anchorFrame(view)}>
        <figcaption>
          <h3>${inline(view.image.id)}</h3>
          <p class="small">${listImageFacts(view, view.image.frame ? findPlace(view.image.frame.of) : null)}</p>
        </figcaption>
        ${renderPicture(view, findWords(files.images, view.image.id) ?? '', `uncover-${index + 1}`, verdict.label === 'unsafe')}
        ${renderDescription(view)} ${view.observations.map((observation) => observationCard(observation, citations))}
      </figure>`,
  )}
  ${passageList(citations, passageWords)}`;
}

/** Where a recording lies, as a path that a link may lead to; null for anything else. */
function readPlace(place: string): string | null {
  return /^[\w%.~/@!$&'()*+,;=-]+$/.test(place) ? place : null;
}

/** A moment, as a link that plays the recording from there where it is known where that lies. */
function renderMoment(at: string, second: number, place: string | null): Markup {
  return place === null ? html`<b>${at}</b>` : html`<a href="${place}#t=${second}">${at}</a>`;
}

function anchorFrame({ image: { frame } }: ImageView): Markup | null {
  return frame ? html` id="${nameMoment({ of: frame.of, from: frame.second })}"` : null;
}

function renderRecording(
  { recording, length, observations, said }: RecordingView,
  citations: Citations,
  place: string | null,
): Markup {
  return html`<figure class="image">
    <figcaption>
      <h3>${inline(recording.id)}</h3>
      <p class="small">${length} · ${inline(recording.mediaType)} · ${code(recording.hash)}</p>
      ${place !== null && html`<p class="small">A time opens the recording there, with sound and uncovered.</p>`}
    </figcaption>
    ${observations.map((observation) => observationCard(observation, citations))}
    ${
      said.length > 0 &&
      html`<h4>What is said when</h4>
        <ul class="bullets small">
          ${said.map(
            ({ at, second, text }) =>
              html`<li id="${nameMoment({ of: recording.id, from: second })}">
                ${renderMoment(at, second, place)} ${inline(text)}
              </li>`,
          )}
        </ul>`
    }
  </figure>`;
}

/** Blurred and grey until asked for: a box that is ticked, and no script. */
function renderPicture({ image, marks }: ImageView, data: string, id: string, isUnsafe: boolean): Markup {
  if (image.withheld)
    return html`<p class="absent">
      The picture is withheld: it is on a list of known images, or came with one that is. Nobody looked at it, and it
      was not kept.
    </p>`;
  if (!picture.test(data)) return html`<p class="absent">The picture itself is not part of this report.</p>`;
  return html`<div class="covered">
    <input type="checkbox" class="uncover" id="${id}" /><label for="${id}"
      >Show the picture${isUnsafe && ' (judged unsafe)'}</label
    >
    <div class="seen">
      <img src="${data}" alt="${image.id}, described below" />${marks.length > 0 && renderMarks(marks)}
    </div>
    ${marks.length > 0 && html`<p class="small">${listMarks(marks)}</p>`}
  </div>`;
}

/** Outlines over the picture, in parts of its sides. */
function renderMarks(marks: ImageView['marks']): Markup {
  return html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    ${marks.map(
      ({ box, kind, label, sure }) =>
        html`<rect class="${kind}" x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}">
          <title>${label}, ${formatPercent(sure)} sure</title>
        </rect>`,
    )}
  </svg>`;
}

function listMarks(marks: ImageView['marks']): Markup[] {
  const objects = marks.filter(({ kind }) => kind === 'object');
  const lines = marks.length - objects.length;
  return [
    ...objects.map(
      ({ label, sure }) => html`<span class="mark object">${inline(label)}, ${formatPercent(sure)} sure</span> `,
    ),
    ...(lines > 0 ? [html`<span class="mark text">${formatPlural(lines, 'line')} of text</span>`] : []),
  ];
}

function listImageFacts({ image, size, shownAt }: ImageView, place: string | null): Markup[] {
  const facts = [
    shownAt !== null && html`at ${renderMoment(shownAt, image.frame!.second, place)}`,
    size !== null && html`${size}`,
    image.mediaType !== null && inline(image.mediaType),
    image.hash === null ? html`only a description was given` : code(image.hash),
  ];
  return facts.filter((fact) => fact !== false).map((fact, index) => html`${index > 0 && ' · '}${fact}`);
}

function renderDescription({ described }: ImageView): Markup[] {
  return described.map(({ turn }) =>
    turn.fallback
      ? html`<p class="notice">
          <strong>Not seen.</strong> ${code(turn.reasoner)} did not describe this image:
          ${describeFailure(turn.fallback.reason)}. ${inline(turn.fallback.detail)}
        </p>`
      : html`<p class="small">Described by ${code(turn.reasoner)}.</p>`,
  );
}

function renderBrief({ supporter, precedents: { patterns } }: ModerationView): Markup | null {
  if (!supporter) return null;
  return turnCard({
    turn: supporter.turn,
    anchor: supporter.anchor,
    part: supporter.part,
    citations: { passages: [], numberOf: () => undefined },
    extra:
      patterns.length > 0 &&
      html`<div>
        <p class="kicker">Recurring patterns</p>
        <ul class="bullets">
          ${patterns.map((pattern) => html`<li>${block(pattern)}</li>`)}
        </ul>
      </div>`,
  });
}

/** The decided cases that the brief drew on: what is alike, and what differs. */
function renderPrecedents({ problem, shown, further, exclusions, furtherExcluded }: PrecedentsView): Markup {
  const excluded = [
    ...exclusions.map(({ reason, ids }) => `Not shown, ${reason}: ${ids.join(', ')}`),
    ...(furtherExcluded === null ? [] : [furtherExcluded]),
  ];
  return html`${problem !== null && html`<p><b>The precedent library has a problem.</b> ${inline(problem)}</p>`}
  ${
    shown.length === 0
      ? html`<p class="absent">No precedent was found: the case was argued on its own.</p>`
      : html`<ul class="precedents">
          ${shown.map(renderPrecedent)}
        </ul>`
  }
  ${further !== null && html`<p class="small">${inline(further)}</p>`}
  ${
    excluded.length > 0 &&
    html`<ul class="bullets small">
      ${excluded.map((line) => html`<li>${inline(line)}</li>`)}
    </ul>`
  }`;
}

function renderPrecedent({ precedent, cues }: PrecedentsView['shown'][number]): Markup {
  const { id, label, category, similarity, summary, why, cues: own, picture: copy } = precedent;
  return html`<li class="card neutral">
    <header>
      <div>
        <h3>
          <span class="badge ${label === 'unsafe' ? 'risk' : 'exoneration'}">${describeLabel(label).title}</span>
          ${code(id)}
        </h3>
        ${category !== null && html`<p class="small">${inline(category)}</p>`}
      </div>
      <p><b>${formatPercent(similarity)}</b> <span class="small">similar</span></p>
    </header>
    ${copy && html`<p class="small">Found by its pixels: ${describePictureMatch(copy)}.</p>`} ${block(summary)}
    ${why !== undefined && html`<p class="small">Reason: ${inline(why)}</p>`}
    ${
      own.length > 0 &&
      html`<p class="small">Cues: ${own.map((cue, index) => html`${index > 0 && '; '}${inline(cue)}`)}</p>`
    }
    ${cues.map(
      ({ cue, difference }) =>
        html`<dl class="compare">
          <div>
            <dt>Similar</dt>
            <dd>${block(cue)}</dd>
          </div>
          <div>
            <dt>Different</dt>
            <dd>${block(difference)}</dd>
          </div>
        </dl>`,
    )}
  </li>`;
}
