import { code, html, type Markup } from '../../../reports/index.ts';
import type { ScoreSheet, SheetOutcome, SheetTurn, SystemSheet } from '../../result.ts';
import { smallTrajectory } from '../charts/trajectory.ts';
import { shortName, count, plural } from '../write-values.ts';
import { type ChosenItems, chosenSystem, type ItemView } from './choose-items.ts';
import { shortenCharacters, toOneLine } from '../../../text/index.ts';

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
export function itemsMarkup(
  sheet: ScoreSheet,
  chosen: ChosenItems,
  anchor: (place: number) => string,
  set: string,
): Markup {
  const system = chosenSystem(sheet);
  const { views, withTranscript, leftOut } = chosen;
  const left = [
    ...(leftOut.items > 0 ? [`${plural(leftOut.items, 'item')} of ${count(sheet.items.length)} left out`] : []),
    ...(leftOut.transcripts > 0 ? [`${plural(leftOut.transcripts, 'transcript')} left out`] : []),
  ];
  return html`<p class="lead-in">
      What each system said of single
      items${withTranscript.size > 0 && system && html`, and how ${code(shortName(system.name))} came to it`}. First
      those that the debate changed, then mistakes, undecided and disputed
      ones.${left.length > 0 && html` <b>${left.join(', ')} to keep this page small: --json has all.</b>`}
    </p>
    <div class="items">
      ${filters(sheet, set)}
      <div class="item-list">
        ${views.map((view) => oneItem(sheet, view, withTranscript.has(view.place) ? system : null, anchor(view.place)))}
      </div>
      <button type="button" class="more" hidden>Show more</button>
    </div>`;
}

/** For those with a script: without one, all items are there. */
function filters({ systems }: ScoreSheet, set: string): Markup {
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
        ${systems.map((system, place) => html`<option value="${place}">${shortName(system.name)}</option>`)}
      </select></label
    >
    <label>with the words <input type="search" class="words" /></label>
    <output class="small"></output>
  </div>`;
}

function oneItem(sheet: ScoreSheet, view: ItemView, transcriptOf: SystemSheet | null, anchor: string): Markup {
  const { item, place, wrong, unsettled, split, changed } = view;
  const right = sheet.systems.length - wrong.length;
  return html`<details
    class="item"
    id="${anchor}"
    data-wrong=" ${wrong.join(' ')} "
    data-unsettled=" ${unsettled.join(' ')} "
    ${split && html` data-split`}${changed && html` data-changed`}
  >
    <summary>
      <span class="tally-of${right === sheet.systems.length ? ' all' : right === 0 ? ' none' : ''}"
        >${right}/${sheet.systems.length}</span
      >
      ${named(shortenCharacters(item.id ?? `line ${item.line}`, most.id))}
      <span class="gist" ${own}
        >${shortenCharacters(toOneLine(item.excerpt.slice(0, 4 * most.summary)), most.summary)}</span
      >${changed && html` <span class="badge">changed</span>`}
    </summary>
    <div class="inside">
      <p class="prose" ${own}>${shortenCharacters(item.excerpt, most.excerpt)}</p>
      <p class="small">
        Right label:
        ${item.gold === null ? 'none' : named(shortName(item.gold))}${item.category !== null && html` · <span${own}>${shortName(item.category)}</span>`}${item.model !== null && html` · ${named(shortName(item.model))}`}
        · line
        ${item.line}${item.trivial && ' · trivial'}${item.raters && html` · raters: <span${own}>${shortenCharacters(item.raters.slice(0, most.raters).join(', '), 200)}</span>`}
      </p>
      <ul class="said-by">
        ${sheet.systems.map((system) => saidBy(system, place, item.gold))}
      </ul>
      ${transcriptOf && transcript(transcriptOf, transcriptOf.repeats[0]?.[place])}
    </div>
  </details> `;
}

function saidBy({ name, repeats }: SystemSheet, place: number, gold: string | null): Markup {
  const outcomes = repeats.flatMap((outcomes) => outcomes[place] ?? []);
  const [first] = outcomes;
  if (!first) return html`<li>${named(shortName(name))} nothing</li>`;
  const times = Map.groupBy(outcomes, ({ said }) => said);
  const words =
    times.size === 1
      ? shortName(first.said)
      : [...times].map(([said, all]) => `${shortName(said)} ×${all.length}`).join(', ');
  return html`<li class="${first.said === gold ? 'right' : 'wrong'}"><span aria-hidden="true">${first.said === gold ? '✓' : '✗'}</span> ${named(shortName(name))} <b${own}>${words}</b>${first.score !== null && html` ${first.score.toFixed(2)}`}${first.opening && first.opening.said !== first.said && html` <small${own}>opening vote: ${shortName(first.opening.said)}</small>`}${first.rule !== null && html` <small${own}>by ${shortName(first.rule)}</small>`}${first.problem !== null && html` <small${own}>${shortenCharacters(first.problem, most.problem)}</small>`}</li>`;
}

function transcript({ name }: SystemSheet, outcome: SheetOutcome | undefined): Markup | null {
  if (!outcome || outcome.turns.length === 0) return null;
  const shown = outcome.turns.slice(0, most.turns);
  return html`<div class="transcript">
    <p class="kicker">The debate of ${named(shortName(name))}</p>
    ${smallTrajectory(shown)}
    <ol>
      ${shown.map(turn)}
    </ol>
    ${outcome.turns.length > shown.length && html`<p class="small">${plural(outcome.turns.length - shown.length, 'more turn')}.</p>`}
  </div>`;
}

function turn({ seat, round, statement, score, label, quotes, fallback }: SheetTurn): Markup {
  const standing = [...(score === null ? [] : [score.toFixed(2)]), ...(label === null ? [] : [shortName(label)])].join(
    ' ',
  );
  const struck = (text: string, verified: boolean) =>
    verified
      ? html`<q${own}>${shortenCharacters(text, most.quote)}</q>`
      : html`<s${own}>${shortenCharacters(text, most.quote)}</s> <small class="struck">struck: in no source</small>`;
  return html`<li><p><b${own}>${shortName(seat)}</b>${round !== null && html` <small>round ${round}</small>`}${standing !== '' && html` <b class="standing-of">${standing}</b>`}${fallback !== null && html` <small class="struck">stand-in: <span${own}>${shortenCharacters(fallback, most.problem)}</span></small>`}</p>
${statement !== '' && html`<p class="prose" ${own}>${shortenCharacters(statement, most.statement)}</p>`}${quotes.slice(0, most.quotes).map(({ text, verified }) => html`<p class="quoted">${struck(text, verified)}</p>`)}</li>`;
}
