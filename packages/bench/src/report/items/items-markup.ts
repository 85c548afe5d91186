import { code, html, type Markup } from '@agonhq/engine/reports';
import type { BenchResult, BenchItemResult, ResultTurn, SystemResult } from '../../result.ts';
import { drawSmallTrajectory } from '../charts/trajectory.ts';
import { shortenName, writeCount, writePlural } from '../write-values.ts';
import { type ChosenItems, chosenSystem, type ItemView } from './choose-items.ts';
import { shortenCharacters, toOneLine } from '@agonhq/engine/text';

const most = {
  id: 64,
  summary: 110,
  excerpt: 600,
  statement: 700,
  quote: 160,
  problem: 240,
  turns: 40,
  quotes: 6,
  raters: 12,
};

/* A page has tens of thousands of these: a direction of its own on the element that is there anyway keeps it small. */
const named = (text: string): Markup => html`<code dir="auto" lang="">${text}</code>`;
const own = html` dir="auto" lang=""`;

/** Every item that the page shows, to be filtered and opened. */
export function itemsToHtml(
  result: BenchResult,
  chosen: ChosenItems,
  anchor: (place: number) => string,
  set: string,
): Markup {
  const system = chosenSystem(result);
  const { views, withTranscript, leftOut } = chosen;
  const left = [
    ...(leftOut.items > 0
      ? [`${writePlural(leftOut.items, 'item')} of ${writeCount(result.items.length)} left out`]
      : []),
    ...(leftOut.transcripts > 0 ? [`${writePlural(leftOut.transcripts, 'transcript')} left out`] : []),
  ];
  const listed = views.map((view) =>
    oneItem(result, view, withTranscript.has(view.place) ? system : null, anchor(view.place)),
  );
  return html`<p class="lead-in">
      What each system said of single
      items${withTranscript.size > 0 && system && html`, and how ${code(shortenName(system.name))} came to it`}. First
      those that the debate changed, then mistakes, undecided and disputed
      ones.${left.length > 0 && html` <b>${left.join(', ')} to keep this page small: --json has all.</b>`}
    </p>
    <div class="items">
      ${filters(result, set)}
      <div class="item-list">${listed}</div>
      <button type="button" class="more" hidden>Show more</button>
    </div>`;
}

/** For those with a script: without one, all items are there. */
function filters({ systems }: BenchResult, set: string): Markup {
  return html`<div class="filters" role="search" aria-label="Items of ${set}" hidden>
    <label
      >Show
      <select class="kind">
        <option value="all">all items</option>
        <option value="wrong">wrong</option>
        <option value="unsettled">undecided or failed</option>
        <option value="split">systems disagree</option>
        <option value="changed">changed by the debate</option>
      </select></label
    >
    <label
      >by
      <select class="by">
        <option value="">any system</option>
        ${systems.map((system, place) => html`<option value="${place}">${shortenName(system.name)}</option>`)}
      </select></label
    >
    <label>containing <input type="search" class="words" /></label>
    <output class="small"></output>
  </div>`;
}

function oneItem(result: BenchResult, view: ItemView, transcriptOf: SystemResult | null, anchor: string): Markup {
  const { item, place, wrong, unsettled, split, changed } = view;
  const right = result.systems.length - wrong.length;
  const raters = item.raters && shortenCharacters(item.raters.slice(0, most.raters).join(', '), 200);
  const about = [
    item.category !== null && html` · <span${own}>${shortenName(item.category)}</span>`,
    item.model !== null && html` · ${named(shortenName(item.model))}`,
    html` · line ${item.line}`,
    item.trivial && ' · trivial',
    raters !== null && html` · raters: <span${own}>${raters}</span>`,
  ];
  return html`<details
    class="item"
    id="${anchor}"
    data-wrong=" ${wrong.join(' ')} "
    data-unsettled=" ${unsettled.join(' ')} "
    ${split && html` data-split`}${changed && html` data-changed`}
  >
    <summary>
      <span class="tally-of${right === result.systems.length ? ' all' : right === 0 ? ' none' : ''}"
        >${right}/${result.systems.length}</span
      >
      ${named(shortenCharacters(item.id ?? `line ${item.line}`, most.id))}
      <span class="gist" ${own}
        >${shortenCharacters(toOneLine(item.excerpt.slice(0, 4 * most.summary)), most.summary)}</span
      >${changed && html` <span class="badge">changed</span>`}
    </summary>
    <div class="inside">
      <p class="prose" ${own}>${shortenCharacters(item.excerpt, most.excerpt)}</p>
      <p class="small">Right label: ${item.gold === null ? 'none' : named(shortenName(item.gold))}${about}</p>
      <ul class="said-by">
        ${result.systems.map((system) => saidBy(system, place, item.gold))}
      </ul>
      ${transcriptOf && transcript(transcriptOf, transcriptOf.repeats[0]?.[place])}
    </div>
  </details> `;
}

function saidBy({ name, repeats }: SystemResult, place: number, gold: string | null): Markup {
  const outcomes = repeats.flatMap((outcomes) => outcomes[place] ?? []);
  const [first] = outcomes;
  if (!first) return html`<li>${named(shortenName(name))} nothing</li>`;
  const times = Map.groupBy(outcomes, ({ said }) => said);
  const words =
    times.size === 1
      ? shortenName(first.said)
      : [...times].map(([said, all]) => `${shortenName(said)} ×${all.length}`).join(', ');
  const right = first.said === gold;
  const opening = first.opening && first.opening.said !== first.said && first.opening.said;
  const small = [
    opening && `opening vote: ${shortenName(opening)}`,
    first.rule !== null && `by ${shortenName(first.rule)}`,
    first.problem !== null && shortenCharacters(first.problem, most.problem),
  ].map((text) => text && html` <small${own}>${text}</small>`);
  const said = html`<b${own}>${words}</b>${first.score !== null && ` ${first.score.toFixed(2)}`}${small}`;
  const sign = html`<span aria-hidden="true">${right ? '✓' : '✗'}</span>`;
  return html`<li class="${right ? 'right' : 'wrong'}">${sign} ${named(shortenName(name))} ${said}</li>`;
}

function transcript({ name }: SystemResult, outcome: BenchItemResult | undefined): Markup | null {
  if (!outcome || outcome.turns.length === 0) return null;
  const shown = outcome.turns.slice(0, most.turns);
  const more = outcome.turns.length - shown.length;
  return html`<div class="transcript">
    <p class="kicker">The debate of ${named(shortenName(name))}</p>
    ${drawSmallTrajectory(shown)}
    <ol>
      ${shown.map(turn)}
    </ol>
    ${more > 0 && html`<p class="small">${writePlural(more, 'more turn')}.</p>`}
  </div>`;
}

function turn({ seat, round, statement, score, label, quotes, fallback }: ResultTurn): Markup {
  const standing = [
    ...(score === null ? [] : [score.toFixed(2)]),
    ...(label === null ? [] : [shortenName(label)]),
  ].join(' ');
  const struck = (text: string, verified: boolean) =>
    verified
      ? html`<q${own}>${shortenCharacters(text, most.quote)}</q>`
      : html`<s${own}>${shortenCharacters(text, most.quote)}</s> <small class="struck">struck: in no source</small>`;
  const head = [
    html`<b${own}>${shortenName(seat)}</b>`,
    round !== null && html` <small>round ${round}</small>`,
    standing !== '' && html` <b class="standing-of">${standing}</b>`,
    fallback !== null &&
      html` <small class="struck">fallback: <span${own}>${shortenCharacters(fallback, most.problem)}</span></small>`,
  ];
  const said = statement !== '' && html`<p class="prose" ${own}>${shortenCharacters(statement, most.statement)}</p>`;
  const cited = quotes
    .slice(0, most.quotes)
    .map(({ text, verified }) => html`<p class="quoted">${struck(text, verified)}</p>`);
  return html`<li>
    <p>${head}</p>
    ${said}${cited}
  </li>`;
}
