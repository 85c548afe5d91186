import { OpenToggle } from './run-items.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { BenchItem, BenchSet } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, Section, ListView } from '../../components/page.tsx';
import { SelectField } from '../../components/field.tsx';
import { Paragraph, PlainText } from '../../components/text.tsx';
import { Score } from '../../components/bars.tsx';
import { classes } from '../../components/tones.ts';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { type BenchItemChoice, benchItemsQuery } from '../../api/query-options.ts';

const itemFilters = ['all', 'wrong', 'disputed', 'undecided'] as const;
const filterTitles = {
  all: 'All items',
  wrong: 'Judged wrongly',
  disputed: 'Systems disagree',
  undecided: 'Left open',
} as const;

/** Every item of a set with each system's answer and turns. What is looked at stands in the address. */
export function BenchItems({ bench, set, index }: { bench: string; set: BenchSet; index: number }) {
  const [{ open, ...choice }, change] = useSearchState((raw): BenchItemChoice & { open: string | undefined } => ({
    only: oneOf(itemFilters, raw['only']) ?? 'all',
    system: set.systems.find(({ name }) => name === raw['system'])?.name,
    category: raw['category'],
    open: raw['item'],
  }));
  const list = useInfiniteQuery(benchItemsQuery(bench, index, choice));
  const [first] = list.data?.pages ?? [];
  return (
    <Section title="Items" lead={first && `${first.total.toLocaleString()} of ${(set.items ?? 0).toLocaleString()}`}>
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField
          label="Show"
          value={choice.only}
          onChange={(value) => change({ only: value === 'all' ? undefined : value, item: undefined })}
          options={itemFilters.map((only) => [only, filterTitles[only]])}
        />
        <SelectField
          label="System"
          value={choice.system ?? ''}
          onChange={(value) => change({ system: value, item: undefined })}
          none="Any system"
          options={set.systems.map(({ name }) => [name, name])}
        />
        <SelectField
          label="Category"
          value={choice.category ?? ''}
          onChange={(value) => change({ category: value, item: undefined })}
          none="Any category"
          options={(first?.categories ?? []).map((name) => [name, name])}
        />
      </div>
      <ListView list={list} lines={6} what="Loading items" empty={<p className="text-quiet">No matching items.</p>}>
        {(items) => (
          <ul aria-label="Items" className="grid gap-3">
            {items.map((item) => (
              <li key={item.position}>
                <Item
                  item={item}
                  open={open === String(item.position)}
                  onToggle={() => change({ item: open === String(item.position) ? undefined : item.position })}
                />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </Section>
  );
}

function Item({ item, open, onToggle }: { item: BenchItem; open: boolean; onToggle: () => void }) {
  const name = item.id ?? `line ${item.line}`;
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OpenToggle name={name} open={open} onToggle={onToggle} />
        <span className="words font-medium">{name}</span>
        <span className="text-sm text-quiet">
          {item.gold === null ? 'unreadable' : `true label: ${item.gold}`}
          {item.category && `, ${item.category}`}
        </span>
      </div>
      <Paragraph text={item.excerpt} className={open ? undefined : 'line-clamp-2'} />
      <ul aria-label={`Answers for ${name}`} className="flex flex-wrap gap-2">
        {item.outcomes.map(({ system, said, right }) => (
          <li key={system}>
            <Badge tone={right === null ? 'quiet' : right ? 'exoneration' : 'risk'}>
              {system}: {said}
              {right !== null && (right ? ', right' : ', wrong')}
            </Badge>
          </li>
        ))}
      </ul>
      {open && item.outcomes.map((outcome) => <SystemOutcome key={outcome.system} outcome={outcome} />)}
    </Card>
  );
}

interface SystemOutcomeProps {
  outcome: BenchItem['outcomes'][number];
}

function SystemOutcome({ outcome: { system, said, score, rule, problem, turns } }: SystemOutcomeProps) {
  return (
    <section className="grid gap-2 border-t pt-3">
      <h3 className="flex flex-wrap items-center gap-x-4 gap-y-1 font-medium">
        {system}{' '}
        <span className="text-sm font-normal text-quiet">
          said {said}
          {rule && ` by ${rule}`}
        </span>{' '}
        {score !== null && score >= 0 && score <= 1 && <Score value={score} />}
      </h3>
      {problem && <p className="words text-risk">{problem}</p>}
      {turns.length === 0 && !problem && <p className="text-sm text-quiet">No turns.</p>}
      <ol className="grid gap-2">
        {turns.map(({ key, seat, round, statement, score: own, quotes, fallback }) => (
          <li key={key} className="rounded-lg border bg-paper p-3">
            <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
              <span className="font-medium text-ink">{seat.replaceAll('-', ' ')}</span>
              {round !== null && <span>round {round}</span>}
              {own !== null && <span className="tabular-nums">score {own.toFixed(2)}</span>}
              {fallback && <span className="text-caution">no answer: {fallback}</span>}
            </p>
            <Paragraph text={statement} />
            {quotes.length > 0 && (
              <ul className="mt-1 grid gap-0.5 text-sm">
                {quotes.map(({ text, verified }, number) => (
                  <li
                    key={number}
                    className={classes(
                      'words border-l-2 pl-2',
                      verified ? 'border-exoneration' : 'border-risk text-quiet line-through',
                    )}
                  >
                    <q>
                      <PlainText text={text} />
                    </q>
                    {!verified && <span className="sr-only"> (not in the source)</span>}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
