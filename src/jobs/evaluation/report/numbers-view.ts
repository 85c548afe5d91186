import { formatScore } from '../../../view/index.ts';
import type { Distribution } from '../index.ts';
import { html, inline, type Markup, type Part } from '../../../reports/index.ts';
import { voiceMark } from './concept-plot.ts';
import { titleOf, type Round } from './rounds.ts';
import type { Voice } from './voices.ts';
import { seatName } from './words.ts';

/**
 * The numbers behind the drawing, round by round: what was stated, how equation 5 fuses it, what equation 6 makes of
 * the priors.
 */
export function numbersView(rounds: readonly Round[], voices: readonly Voice[], delta: number | null): Markup {
  return html`<div class="numbers">
      ${rounds.map((round) => {
        const title = `${titleOf(round)} in numbers`;
        return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
          <table>
            <caption>
              ${titleOf(round)}
            </caption>
            <thead>
              <tr>
                <th scope="col">${round.mixing ? 'Stated' : 'Voice'}</th>
                ${['explicit', 'implicit', 'none'].map((concept) => html`<th scope="col" class="number">${concept}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${voices
                .filter((voice) => voice.tone !== 'mixture')
                .flatMap((voice) =>
                  voice.points
                    .filter((point) => round.round === null || point.round === round.round)
                    .map((point) =>
                      row(
                        html`${voiceMark(voice)}${inline(round.round === null && point.round !== null ? `Vote ${point.round}` : voice.name)}${point.standIn && ' *'}`,
                        point.distribution,
                      ),
                    ),
                )}
            </tbody>
            ${round.mixing && fused(round)}
            ${
              round.priors.length > 0 &&
              html`<tbody>
                <tr>
                  <th scope="colgroup" colspan="4" class="group">Updated priors (equation 6)</th>
                </tr>
                ${round.priors.map(([seat, prior]) => row(inline(seatName(seat)), prior))}
              </tbody>`
            }
          </table>
          ${round.mixing && arithmetic(round, delta)}
        </div>`;
      })}
    </div>
    ${voices.some((voice) => voice.points.some((point) => point.standIn)) && html`<p class="small">* A stand-in: the seat gave no usable answer, and what is shown counts for nothing.</p>`}`;
}

function fused({ mixing }: Round): Markup {
  const { reference, mixture } = mixing!;
  return html`<tbody>
    <tr>
      <th scope="colgroup" colspan="4" class="group">Fused (equation 5)</th>
    </tr>
    ${row(html`P̂, ${reference === null ? 'none' : from(reference.from)}`, reference?.distribution ?? null)}
    ${row(html`<strong>Mixture</strong>`, mixture)}
  </tbody>`;
}

const from = (origin: string): Part => (origin === 'critic' ? 'the critic’s' : inline(origin));

/** The weight and the divergence of a round, in a line. */
function arithmetic({ mixing }: Round, delta: number | null): Markup {
  const { alpha, divergence, breach } = mixing!;
  return html`<p class="small">
    ${alpha !== null && html`α = <b>${formatScore(alpha)}</b> for the auditors, ${formatScore(1 - alpha)} for the detectors. `}
    ${divergence === null ? 'No divergence: one side was not heard.' : html`KL(auditor ‖ detector) = <b>${formatScore(divergence)}</b>, ${breach ? html`<strong class="struck">at or above δ${limit(delta)}</strong>` : html`below δ${limit(delta)}`}.`}
  </p>`;
}

const limit = (delta: number | null) => (delta === null ? '' : ` = ${delta}`);

function row(name: Part, distribution: Distribution | null): Markup {
  const cells =
    distribution === null
      ? ['–', '–', '–']
      : [formatScore(distribution.explicit), formatScore(distribution.implicit), formatScore(distribution.none)];
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
  </tr>`;
}
