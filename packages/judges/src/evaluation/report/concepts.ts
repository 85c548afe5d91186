import { html, inline, type Markup, type HtmlPart } from '@agonhq/engine/reports';
import { formatScore, type ShownDistribution } from '@agonhq/engine/view';
import { describeStanding, type EvaluationRound, type EvaluationView, type Voice } from '../view.ts';
import { conceptPlot, voiceMark } from './concept-plot.ts';

/** The risk-concept space: the drawing, its legend with everybody's labels, and the numbers. */
export function renderConcepts({ rounds, voices }: EvaluationView, delta: number): Markup {
  const plot = conceptPlot(voices);
  if (!plot) return html`<p class="absent">Nobody stated how likely each kind of risk is.</p>`;
  return html`<figure class="trajectory">
      ${plot}
      <figcaption>
        ${renderLegend(rounds, voices)}
        <p class="small">
          ${explainNumbers(voices, rounds)}A mark that would cover another is moved aside, with a line to its true
          position. Grid lines mark quarters.
        </p>
      </figcaption>
    </figure>
    <div class="numbers">${rounds.map((round) => renderRoundNumbers(round, voices, delta))}</div>
    ${
      voices.some((voice) => voice.points.some((point) => point.isStandIn)) &&
      html`<p class="small">* A fallback: the seat gave no usable answer, so this value does not count.</p>`
    }`;
}

function explainNumbers(voices: readonly Voice[], rounds: readonly EvaluationRound[]): string {
  if (voices.every(({ points }) => points.every(({ round }) => round === null))) return '';
  return `The number in a mark is its ${rounds.some(({ round }) => round !== null) ? 'round' : 'vote'}. `;
}

function renderLegend(rounds: readonly EvaluationRound[], voices: readonly Voice[]): Markup {
  const inRounds = rounds.some(({ round }) => round !== null);
  const columns = inRounds ? rounds.map(({ title }) => title) : ['Label'];
  const describe = (voice: Voice, index: number) =>
    countLabels(
      voice.points.filter((point) => !inRounds || point.round === rounds[index]!.round).map(describeStanding),
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Labels, round by round">
    <table>
      <thead>
        <tr>
          <th scope="col">Voice</th>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${voices.map(
          (voice) =>
            html`<tr>
              <th scope="row">${voiceMark(voice)}${inline(voice.name)}</th>
              ${columns.map((_, index) => html`<td>${inline(describe(voice, index))}</td>`)}
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
function renderRoundNumbers(round: EvaluationRound, voices: readonly Voice[], delta: number): Markup {
  const stated = voices
    .filter((voice) => voice.tone !== 'mixture')
    .flatMap((voice) =>
      voice.points
        .filter((point) => round.round === null || point.round === round.round)
        .map(({ round: number, isStandIn, distribution }) => {
          const name = round.round === null && number !== null ? `Vote ${number}` : voice.name;
          return renderRow(html`${voiceMark(voice)}${inline(name)}${isStandIn && ' *'}`, distribution);
        }),
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${round.title} in numbers">
    <table>
      <caption>
        ${round.title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${round.mixing ? 'Stated' : 'Voice'}</th>
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
