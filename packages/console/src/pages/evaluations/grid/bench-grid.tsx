import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BenchItem, BenchSet } from '../../../api/client.ts';
import { type BenchGridQuery, benchGridQuery, benchItemQuery } from '../../../api/query-options.ts';
import { QueryView, Section } from '../../../components/page.tsx';
import type { Option } from '../../../components/field.tsx';
import { pickOne, type RawSearch, useSearchState } from '../../../routing/search.ts';
import { SystemOutcome } from '../../../components/system-outcome.tsx';
import { ChangeBadge, findChange, ItemCell, TrueLabel, VerdictCell } from './cells.tsx';
import { GridTools, writeOrder, type GridChoice } from './grid-tools.tsx';
import { type GridColumn, ItemGrid } from './item-grid.tsx';

const filters = ['wrong', 'disputed', 'undecided', 'corrected', 'broken'] as const;
const sorts = ['position', 'score', 'cost', 'latency', 'change'] as const;

function readGrid(raw: RawSearch, { systems }: BenchSet) {
  const system = (name: string) => systems.find((each) => each.name === raw[name])?.name;
  return {
    search: raw['search']?.trim().slice(0, 200) || undefined,
    only: pickOne(filters, raw['only']),
    system: system('system'),
    against: system('against'),
    category: raw['category']?.slice(0, 100) || undefined,
    gold: raw['gold']?.slice(0, 100) || undefined,
    sort: pickOne(sorts, raw['sort']) ?? 'position',
    order: pickOne(['asc', 'desc'], raw['order']) ?? 'asc',
    item: /^\d{1,9}$/.test(raw['item'] ?? '') ? Number(raw['item']) : null,
  };
}

/** Every item of a set by every system, or by two that are held against each other. All of it is in the address. */
export function BenchGrid({ bench, set, index }: { bench: string; set: BenchSet; index: number }) {
  const [read, change] = useSearchState((raw) => readGrid(raw, set));
  const { item, ...asked } = read;
  const query = { ...asked, only: asked.only ?? ('all' as const) } satisfies BenchGridQuery;
  const list = useInfiniteQuery({ ...benchGridQuery(bench, index, query), placeholderData: keepPreviousData });
  const [first] = list.data?.pages ?? [];
  const pair = asked.system !== undefined && asked.against !== undefined && asked.system !== asked.against;
  const shown = pair ? [asked.system!, asked.against!] : set.systems.map(({ name }) => name);
  const columns = useMemo(
    () => makeColumns(shown, pair ? shown[0]! : (asked.system ?? shown[0]!), pair),
    [shown.join('\n'), asked.system, pair],
  );
  const order = { by: query.sort, descending: query.order === 'desc' };
  return (
    <Section title="Items">
      <GridTools
        search={asked.search}
        choices={makeChoices(set, first?.categories ?? [])}
        chosen={asked}
        orders={orders}
        order={order}
        onChange={(given) => change({ ...given, item: undefined })}
        found={first?.total ?? null}
        total={set.items}
        exportAt={`/api/benches/${encodeURIComponent(bench)}/sets/${index}/items/export`}
        exportQuery={query}
      />
      <ItemGrid
        key={JSON.stringify(query)}
        columns={columns}
        list={list}
        nameRow={nameItem}
        open={item}
        onToggle={(position) => change({ item: position ?? undefined })}
        details={(row) => <Details bench={bench} set={index} row={row} />}
        isMarked={(row) => changeOf(row, shown) !== null}
        order={order}
        onOrder={({ by, descending }) => change(writeOrder(`${by} ${descending ? 'desc' : 'asc'}`))}
      />
    </Section>
  );
}

function nameItem({ id, line }: BenchItem): string {
  return id ?? `line ${line}`;
}

function changeOf({ outcomes, gold }: BenchItem, systems: readonly string[]) {
  const [first, ...others] = systems.map((name) => outcomes.find(({ system }) => system === name)?.said ?? null);
  return findChange(first ?? null, others, gold);
}

function makeColumns(systems: readonly string[], sorted: string, pair: boolean): GridColumn<BenchItem>[] {
  return [
    ['Item', 'minmax(14rem,3fr)', (row) => <ItemName row={row} />, 'position'],
    ['True label', 'minmax(5rem,0.6fr)', ({ gold }) => <TrueLabel label={gold} />],
    ...systems.map((name): GridColumn<BenchItem> => [
      name,
      'minmax(10rem,1.2fr)',
      (row) => <Outcome row={row} system={name} />,
      name === sorted ? 'score' : undefined,
    ]),
    ...(pair ? [changeColumn(systems)] : []),
  ];
}

function changeColumn(systems: readonly string[]): GridColumn<BenchItem> {
  return ['Change', '7rem', (row) => <ChangeBadge change={changeOf(row, systems)} />, 'change'];
}

function ItemName({ row }: { row: BenchItem }) {
  return <ItemCell name={[nameItem(row), row.category].filter(Boolean).join(' · ')} excerpt={row.excerpt} />;
}

function Outcome({ row, system }: { row: BenchItem; system: string }) {
  const outcome = row.outcomes.find((each) => each.system === system);
  if (!outcome) return <span className="text-sm text-quiet">–</span>;
  const { said, score, right, costUsd, latencyMs } = outcome;
  return (
    <VerdictCell
      name={`${nameItem(row)} by ${system}`}
      label={said}
      score={score}
      right={right}
      usage={{ costUsd, latencyMs }}
    />
  );
}

function Details({ bench, set, row }: { bench: string; set: number; row: BenchItem }) {
  return (
    <QueryView query={useQuery(benchItemQuery(bench, set, row.position))} lines={4} what="Loading answers">
      {({ excerpt, outcomes }) => (
        <div className="grid gap-4">
          <p className="words">{excerpt}</p>
          {outcomes.map((outcome) => (
            <SystemOutcome key={outcome.system} outcome={outcome} />
          ))}
        </div>
      )}
    </QueryView>
  );
}

function makeChoices({ systems, classes }: BenchSet, categories: readonly string[]): GridChoice[] {
  const names = systems.map(({ name }): Option => [name, name]);
  return [
    {
      name: 'only',
      label: 'Show',
      none: 'All items',
      options: [
        ['wrong', 'Judged wrongly'],
        ['disputed', 'Systems disagree'],
        ['undecided', 'Left open'],
        ['corrected', 'Corrected'],
        ['broken', 'Broken'],
      ],
    },
    { name: 'system', label: 'System', none: 'Any system', options: names },
    ...(names.length > 1 ? [{ name: 'against', label: 'Against', none: 'All others', options: names }] : []),
    { name: 'gold', label: 'True label', options: classes.map((label) => [label, label]) },
    ...(categories.length > 0
      ? [{ name: 'category', label: 'Category', options: categories.map((name): Option => [name, name]) }]
      : []),
  ];
}

const orders: Option[] = [
  ['position asc', 'As in the input'],
  ['score desc', 'Highest score first'],
  ['score asc', 'Lowest score first'],
  ['cost desc', 'Most expensive first'],
  ['latency desc', 'Slowest first'],
  ['change desc', 'Largest change first'],
];
