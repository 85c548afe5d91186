import { html, inline, type Markup, type HtmlPart } from '@agonhq/engine/reports';
import { formatScore, type ShownDistribution } from '@agonhq/engine/view';
import { describeStanding, type EvaluationRound, type EvaluationView, type Speaker } from '../view.ts';
import { conceptPlot, speakerMark } from './concept-plot.ts';

/** The risk-concept space: the drawing, its legend with everybody's labels, and the numbers. */
export function renderConcepts({ rounds, speakers }: EvaluationView, delta: number): Markup {
  const plot = conceptPlot(speakers);
  if (!plot) return html`<p class="absent">Nobody stated how likely each kind of risk is.</p>`;
  return html`<figure class="trajectory">
      ${plot}
      <figcaption>
        ${renderLegend(rounds, speakers)}
        <p class="small">
          ${explainNumbers(speakers, rounds)}A mark that would cover another is moved aside, with a line to its true
          position. Grid lines mark quarters.
        </p>
      </figcaption>
    </figure>
    <div class="numbers">${rounds.map((round) => renderRoundNumbers(round, speakers, delta))}</div>
    ${
      speakers.some((speaker) => speaker.points.some((point) => point.isStandIn)) &&
      html`<p class="small">* A fallback: the seat gave no usable answer, so this value does not count.</p>`
    }`;
}

function explainNumbers(speakers: readonly Speaker[], rounds: readonly EvaluationRound[]): string {
  if (speakers.every(({ points }) => points.every(({ round }) => round === null))) return '';
  return `The number in a mark is its ${rounds.some(({ round }) => round !== null) ? 'round' : 'vote'}. `;
}

function renderLegend(rounds: readonly EvaluationRound[], speakers: readonly Speaker[]): Markup {
  const inRounds = rounds.some(({ round }) => round !== null);
  const columns = inRounds ? rounds.map(({ title }) => title) : ['Label'];
  const describe = (speaker: Speaker, index: number) =>
    countLabels(
      speaker.points.filter((point) => !inRounds || point.round === rounds[index]!.round).map(describeStanding),
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Labels, round by round">
    <table>
      <thead>
        <tr>
          <th scope="col">Speaker</th>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${speakers.map(
          (speaker) =>
            html`<tr>
              <th scope="row">${speakerMark(speaker)}${inline(speaker.name)}</th>
              ${columns.map((_, index) => html`<td>${inline(describe(speaker, index))}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** One label as it is; of many, how often each was given. */
function countLabels(labels: readonly string[]): string {
  if (labels.length < 2) return labels.join('');
  return [...Map.groupBy(labels, (label) => label)].map(([label, given]) => `${given.length} ${label}`).join(', ');
}

/** The numbers of a round: what was stated, how equation 5 fuses it, what equation 6 makes of the priors. */
function renderRoundNumbers(round: EvaluationRound, speakers: readonly Speaker[], delta: number): Markup {
  const stated = speakers
    .filter((speaker) => speaker.tone !== 'mixture')
    .flatMap((speaker) =>
      speaker.points
        .filter((point) => round.round === null || point.round === round.round)
        .map(({ round: number, isStandIn, distribution }) => {
          const name = round.round === null && number !== null ? `Vote ${number}` : speaker.name;
          return renderRow(html`${speakerMark(speaker)}${inline(name)}${isStandIn && ' *'}`, distribution);
        }),
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${round.title} in numbers">
    <table>
      <caption>
        ${round.title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${round.mixing ? 'Stated' : 'Speaker'}</th>
          ${['explicit', 'implicit', 'none'].map((concept) => html`<th scope="col" class="number">${concept}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${stated}
      </tbody>
      ${round.mixing && renderMixture(round.mixing)}
      ${
        round.priors.length > 0 &&
        html`<tbody>
          <tr>
            <th scope="colgroup" colspan="4" class="group">Updated priors (equation 6)</th>
          </tr>
          ${round.priors.map(([name, prior]) => renderRow(inline(name), prior))}
        </tbody>`
      }
    </table>
    ${round.mixing && renderArithmetic(round.mixing, delta)}
  </div>`;
}

type Mixing = NonNullable<EvaluationRound['mixing']>;

function renderMixture({ reference, mixture }: Mixing): Markup {
  const from = reference && (reference.from === 'critic' ? 'the critic’s' : inline(reference.from));
  return html`<tbody>
    <tr>
      <th scope="colgroup" colspan="4" class="group">Fused (equation 5)</th>
    </tr>
    ${renderRow(html`P̂, ${from ?? 'none'}`, reference?.distribution ?? null)}
    ${renderRow(html`<strong>Mixture</strong>`, mixture)}
  </tbody>`;
}

/** The weight and the divergence of a round, in a line. */
function renderArithmetic({ alpha, divergence, breach }: Mixing, delta: number): Markup {
  const limit = breach ? html`<strong class="struck">at or above δ = ${delta}</strong>` : `below δ = ${delta}`;
  return html`<p class="small">
    ${
      alpha !== null &&
      html`α = <b>${formatScore(alpha)}</b> for the auditors, ${formatScore(1 - alpha)} for the detectors. `
    }
    ${
      divergence === null
        ? 'No divergence: one side gave no answer.'
        : html`KL(auditor ‖ detector) = <b>${formatScore(divergence)}</b>, ${limit}.`
    }
  </p>`;
}

function renderRow(name: HtmlPart, distribution: ShownDistribution | null): Markup {
  const cells = distribution
    ? [distribution.explicit, distribution.implicit, distribution.none].map(formatScore)
    : ['–', '–', '–'];
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
  </tr>`;
}
