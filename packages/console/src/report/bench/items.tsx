import { type ChosenItems, chosenSystem, type ItemView } from '@agonhq/bench/report/items/choose-items';
import { shortenName, writeCount, writePlural } from '@agonhq/bench/report/write-values';
import type { BenchItemResult, BenchResult, ResultTurn, SystemResult } from '@agonhq/bench/result';
import { shortenCharacters, toOneLine } from '@agonhq/engine/text';
import { Badge } from '../../components/badge.tsx';
import { OutcomeTurns } from '../../components/system-outcome.tsx';
import { Facts } from '../../components/table.tsx';
import { CodeName } from './block-view.tsx';
import { SmallTrajectory } from './line-plots.tsx';

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
const own = { dir: 'auto', lang: '' };

function Named({ text }: { text: string }) {
  return <code {...own}>{text}</code>;
}

interface ItemsProps {
  result: BenchResult;
  chosen: ChosenItems;
  anchor: (place: number) => string;
  /** Which set's they are. */
  of: string;
}

/** Every item that the page shows, to be filtered and opened. */
export function Items({ result, chosen: { views, withTranscript, leftOut }, anchor, of }: ItemsProps) {
  const system = chosenSystem(result);
  const left = [
    leftOut.items > 0 && `${writePlural(leftOut.items, 'item')} of ${writeCount(result.items.length)} left out`,
    leftOut.transcripts > 0 && `${writePlural(leftOut.transcripts, 'transcript')} left out`,
  ].filter(Boolean);
  return (
    <>
      <p className="max-w-3xl text-quiet">
        What each system said of single items
        {withTranscript.size > 0 && system && (
          <>
            , and how <CodeName text={shortenName(system.name)} /> came to it
          </>
        )}
        . First those that the debate changed, then mistakes, undecided and disputed ones.
        {left.length > 0 && <b> {left.join(', ')} to keep this page small: --json has all.</b>}
      </p>
      <div className="items print:hidden">
        <Filters result={result} of={of} />
        <div className="border-t">
          {views.map((view) => (
            <OneItem
              key={view.place}
              result={result}
              view={view}
              transcriptOf={withTranscript.has(view.place) ? system : null}
              anchor={anchor(view.place)}
            />
          ))}
        </div>
        <button type="button" className="more mt-4 rounded-md border px-4 py-1.5 text-link" hidden>
          Show more
        </button>
      </div>
    </>
  );
}

const kinds = {
  all: 'all items',
  wrong: 'wrong',
  unsettled: 'undecided or failed',
  split: 'systems disagree',
  changed: 'changed by the debate',
};

/** For those with a script: without one, all items are there. */
function Filters({ result: { systems }, of }: Pick<ItemsProps, 'result' | 'of'>) {
  const field = 'max-w-full rounded-md border border-quiet bg-surface px-2 py-1 disabled:text-quiet';
  const label = 'inline-flex max-w-full items-center gap-1.5';
  return (
    <div role="search" aria-label={`Items of ${of}`} className="filters mb-4 flex flex-wrap gap-x-4 gap-y-2" hidden>
      <label className={label}>
        Show
        <select className={`kind ${field}`}>
          {Object.entries(kinds).map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label className={label}>
        by
        <select className={`by ${field}`}>
          <option value="">any system</option>
          {systems.map(({ name }, place) => (
            <option key={place} value={place}>
              {shortenName(name)}
            </option>
          ))}
        </select>
      </label>
      <label className={label}>
        containing <input type="search" className={`words ${field}`} />
      </label>
      <output className="self-center text-sm text-quiet" />
    </div>
  );
}

interface OneItemProps {
  result: BenchResult;
  view: ItemView;
  transcriptOf: SystemResult | null;
  anchor: string;
}

function OneItem({ result: { systems }, view, transcriptOf, anchor }: OneItemProps) {
  const { item, place, wrong, unsettled, split, changed } = view;
  const right = systems.length - wrong.length;
  const raters = item.raters && shortenCharacters(item.raters.slice(0, most.raters).join(', '), 200);
  const tally = right === systems.length ? 'exoneration' : right === 0 ? 'risk' : 'caution';
  return (
    <details
      className="item"
      id={anchor}
      data-wrong={` ${wrong.join(' ')} `}
      data-unsettled={` ${unsettled.join(' ')} `}
      data-split={split ? '' : undefined}
      data-changed={changed ? '' : undefined}
    >
      <summary>
        <span className={`text-${tally} bg-${tally}-ground`}>
          {right}/{systems.length}
        </span>{' '}
        <Named text={shortenCharacters(item.id ?? `line ${item.line}`, most.id)} />{' '}
        <q {...own}>{shortenCharacters(toOneLine(item.excerpt.slice(0, 4 * most.summary)), most.summary)}</q>
        {changed && <Badge className="py-0">changed</Badge>}
      </summary>
      <div>
        <p {...own} className="words">
          {shortenCharacters(item.excerpt, most.excerpt)}
        </p>
        <Facts
          className="flex flex-wrap gap-x-6 text-sm *:flex *:gap-1.5"
          facts={[
            ['Right label', item.gold === null ? 'none' : <Named text={shortenName(item.gold)} />],
            item.category === null ? null : ['Category', <span {...own}>{shortenName(item.category)}</span>],
            item.model === null ? null : ['Model', <Named text={shortenName(item.model)} />],
            ['Line', item.line],
            item.trivial ? ['Trivial', 'yes'] : null,
            raters === null ? null : ['Raters', <span {...own}>{raters}</span>],
          ]}
        />
        <ul>
          {systems.map((system, number) => (
            <SaidBy key={number} system={system} place={place} gold={item.gold} />
          ))}
        </ul>
        {transcriptOf && <Transcript system={transcriptOf} outcome={transcriptOf.repeats[0]?.[place]} />}
      </div>
    </details>
  );
}

interface SaidByProps {
  system: SystemResult;
  place: number;
  gold: string | null;
}

function SaidBy({ system: { name, repeats }, place, gold }: SaidByProps) {
  const outcomes = repeats.flatMap((repeat) => repeat[place] ?? []);
  const [first] = outcomes;
  const system = <Named text={shortenName(name)} />;
  if (!first) return <li>{system} nothing</li>;
  const times = Map.groupBy(outcomes, ({ said }) => said);
  const words =
    times.size === 1
      ? shortenName(first.said)
      : [...times].map(([said, all]) => `${shortenName(said)} ×${all.length}`).join(', ');
  const right = first.said === gold;
  const opening = first.opening && first.opening.said !== first.said && first.opening.said;
  const notes = [
    opening && `opening vote: ${shortenName(opening)}`,
    first.rule !== null && `by ${shortenName(first.rule)}`,
    first.problem !== null && shortenCharacters(first.problem, most.problem),
  ];
  return (
    <li className={right ? undefined : 'wrong'}>
      <span aria-hidden>{right ? '✓' : '✗'}</span> {system} <b {...own}>{words}</b>
      {first.score !== null && ` ${first.score.toFixed(2)}`}
      {notes.map(
        (note, number) =>
          note && (
            <small key={number} {...own}>
              {' '}
              {note}
            </small>
          ),
      )}
    </li>
  );
}

function Transcript({ system: { name }, outcome }: { system: SystemResult; outcome: BenchItemResult | undefined }) {
  if (!outcome || outcome.turns.length === 0) return null;
  const shown = outcome.turns.slice(0, most.turns).map(shortenTurn);
  const more = outcome.turns.length - shown.length;
  return (
    <div className="transcript">
      <p>
        The debate of <Named text={shortenName(name)} />
      </p>
      <SmallTrajectory turns={shown} />
      <OutcomeTurns turns={shown} />
      {more > 0 && <p>{writePlural(more, 'more turn')}.</p>}
    </div>
  );
}

function shortenTurn({ statement, fallback, quotes, ...turn }: ResultTurn): ResultTurn {
  return {
    ...turn,
    seat: shortenName(turn.seat),
    statement: shortenCharacters(statement, most.statement),
    fallback: fallback === null ? null : shortenCharacters(fallback, most.problem),
    quotes: quotes
      .slice(0, most.quotes)
      .map(({ text, verified }) => ({ text: shortenCharacters(text, most.quote), verified })),
  };
}
