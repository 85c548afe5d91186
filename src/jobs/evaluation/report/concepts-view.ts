import { html, inline, type Markup } from '../../../reports/index.ts';
import { conceptPlot, voiceMark } from './concept-plot.ts';
import { numbersView } from './numbers-view.ts';
import { titleOf, type Round } from './rounds.ts';
import type { Point, Voice } from './voices.ts';

/** The risk-concept space: the drawing, its legend with everybody's labels, and the numbers. */
export function conceptsView(rounds: readonly Round[], voices: readonly Voice[], delta: number | null): Markup {
  const plot = conceptPlot(voices);
  if (!plot) return html`<p class="absent">Nobody stated how likely each kind of risk is.</p>`;
  return html`<figure class="trajectory">
      ${plot}
      <figcaption>
        ${legend(rounds, voices)}
        <p class="small">
          ${numbered(voices, rounds)}A mark that would cover another is moved aside, with a line to its true place.
          Lines of the grid are quarters.
        </p>
      </figcaption>
    </figure>
    ${numbersView(rounds, voices, delta)}`;
}

function numbered(voices: readonly Voice[], rounds: readonly Round[]): string {
  if (voices.every(({ points }) => points.every(({ round }) => round === null))) return '';
  return `The number in a mark is that of its ${rounds.some(({ round }) => round !== null) ? 'round' : 'vote'}. `;
}

function legend(rounds: readonly Round[], voices: readonly Voice[]): Markup {
  const inRounds = rounds.some(({ round }) => round !== null);
  const columns = inRounds ? rounds.map(titleOf) : ['Label'];
  const cell = (voice: Voice, index: number) =>
    counted(voice.points.filter((point) => !inRounds || point.round === rounds[index]!.round).map(standing));
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
              ${columns.map((_, index) => html`<td>${inline(cell(voice, index))}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** One label as it is; of many, how often each was given. */
function counted(labels: readonly string[]): string {
  if (labels.length < 2) return labels.join('');
  return [...Map.groupBy(labels, (label) => label)].map(([label, given]) => `${given.length} ${label}`).join(', ');
}

/** What a voice says at a point: its label; for the mixture, which says none, the concept that is likeliest. */
function standing({ label, standIn, distribution }: Point): string {
  if (standIn) return 'not heard';
  if (label !== null || distribution === null) return label ?? '';
  const [likeliest] = Object.entries(distribution).toSorted(([, a], [, b]) => b - a);
  return likeliest![0];
}
