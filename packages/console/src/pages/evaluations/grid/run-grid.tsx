import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SentRunItem, SentRunReport } from '../../../api/client.ts';
import { type RunGridQuery, runGridQuery, runQuery, runsQuery } from '../../../api/query-options.ts';
import { formatCost, formatDuration } from '../../../charts/format-figures.ts';
import { Badge, findLabelLook } from '../../../components/badge.tsx';
import { Score } from '../../../components/bars.tsx';
import type { Option } from '../../../components/field.tsx';
import { Section } from '../../../components/page.tsx';
import { findConsoleJob } from '../../../jobs/index.ts';
import { pickOne, type RawSearch, useSearchState } from '../../../routing/search.ts';
import { ItemDetails } from '../item-details.tsx';
import { ChangeBadge, findChange, ItemCell, TrueLabel, VerdictCell } from './cells.tsx';
import { GridTools, writeOrder, type GridChoice } from './grid-tools.tsx';
import { type GridColumn, ItemGrid } from './item-grid.tsx';
import { nameOptions } from '../../../components/field.tsx';

const stateNames = {
  done: 'Judged',
  failed: 'Failed',
  waiting: 'Waiting',
  running: 'Being judged',
  same: 'Duplicate',
} as const;
const states = Object.keys(stateNames) as readonly (keyof typeof stateNames)[];
const changes = ['flipped', 'corrected', 'broken'] as const;
/** Where something else is shown by default, the address says that all is asked for. */
const anyChange = 'any';
const sorts = ['position', 'key', 'label', 'risk', 'cost', 'latency', 'change'] as const;

/** What a grid of a run is asked for, as the address says it: anybody may have written it. */
function readGrid(raw: RawSearch) {
  const words = (name: string) => raw[name]?.trim().slice(0, 100) || undefined;
  return {
    search: raw['search']?.trim().slice(0, 200) || undefined,
    state: pickOne(states, raw['state']),
    label: words('label'),
    expected: words('expected'),
    outcome: pickOne(['right', 'wrong'], raw['outcome']),
    escalated: pickOne(['true'], raw['escalated']),
    changed: pickOne([...changes, anyChange], raw['changed']),
    sort: pickOne(sorts, raw['sort']) ?? 'position',
    order: pickOne(['asc', 'desc'], raw['order']) ?? 'asc',
    with: /^[\w.~:-]{1,200}$/.test(raw['with'] ?? '') ? raw['with'] : undefined,
    item: /^\d{1,12}$/.test(raw['item'] ?? '') ? Number(raw['item']) : null,
  };
}

interface RunGridProps {
  run: SentRunReport;
  /** The run that it stands beside, where the page says so; else it can be chosen here. */
  beside?: SentRunReport;
  /** What is shown of it before somebody chooses. */
  changed?: (typeof changes)[number];
}

/** Every item of a run with its content, verdict, cost and time; beside another run, with what changed. */
export function RunGrid({ run, beside, changed }: RunGridProps) {
  const [read, change] = useSearchState(readGrid);
  const { item, ...asked } = read;
  const other = beside?.id ?? asked.with;
  const report = useQuery({ ...runQuery(other ?? ''), enabled: other !== undefined }).data;
  const query = {
    ...asked,
    escalated: asked.escalated === 'true' ? true : undefined,
    with: other,
    changed: other === undefined ? undefined : pickOne(changes, asked.changed ?? changed),
    sort: other === undefined && asked.sort === 'change' ? ('position' as const) : asked.sort,
  } satisfies RunGridQuery;
  const list = useInfiniteQuery({
    ...runGridQuery(run.id, query, `${run.state} ${run.endedAt ?? ''} ${report?.state ?? ''}`),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (run.live && (state.data?.pages.length ?? 0) < 2 ? 3_000 : false),
  });
  const names = [nameRun(run), ...(report ? [nameRun(report)] : [])];
  const columns = useMemo(() => makeColumns(run, names), [run.job, names.join('\n')]);
  const order = { by: query.sort, descending: query.order === 'desc' };
  return (
    <Section title="Items">
      <GridTools
        search={asked.search}
        choices={useChoices(run, beside !== undefined, other !== undefined)}
        chosen={{ ...asked, changed: query.changed, with: other }}
        orders={makeOrders(other !== undefined)}
        order={order}
        onChange={(given) =>
          change({
            ...given,
            ...('changed' in given && changed ? { changed: given['changed'] ?? anyChange } : {}),
            item: undefined,
          })
        }
        found={list.data?.pages[0]?.total ?? null}
        total={run.total}
        exportAt={`/api/runs/${encodeURIComponent(run.id)}/items/export`}
        exportQuery={query}
      />
      <ItemGrid
        key={JSON.stringify(query)}
        columns={columns}
        list={list}
        nameRow={({ key }) => key}
        open={item}
        onToggle={(position) => change({ item: position ?? undefined })}
        details={(row) => <Details row={row} names={names} />}
        isMarked={(row) => changeOf(row) !== null}
        order={order}
        onOrder={({ by, descending }) => change(writeOrder(`${by} ${descending ? 'desc' : 'asc'}`))}
      />
    </Section>
  );
}

function nameRun({ id, name }: Pick<SentRunReport, 'id' | 'name'>): string {
  return name ?? id;
}

function changeOf({ result, others, expected }: SentRunItem) {
  return findChange(
    result?.label ?? null,
    others.map((other) => other?.result?.label ?? null),
    expected,
  );
}

/** One run has a column for each figure; of several each has one for all of them. */
function makeColumns(run: SentRunReport, names: readonly string[]): GridColumn<SentRunItem>[] {
  const ofItem: GridColumn<SentRunItem>[] = [
    ['Item', 'minmax(14rem,3fr)', ({ key, excerpt }) => <ItemCell name={key} excerpt={excerpt} />, 'position'],
    ['True label', 'minmax(5rem,0.6fr)', ({ expected }) => <TrueLabel label={expected} />],
  ];
  if (names.length > 1)
    return [
      ...ofItem,
      ...names.map((name, index): GridColumn<SentRunItem> => [
        name,
        'minmax(11rem,1.2fr)',
        (row) => <Outcome row={row} of={index} name={name} withUsage />,
        index === 0 ? 'risk' : 'change',
      ]),
      ['Change', '7rem', (row) => <ChangeBadge change={changeOf(row)} />],
    ];
  return [
    ...ofItem,
    ['Verdict', 'minmax(9rem,1fr)', (row) => <Outcome row={row} of={0} name={names[0]!} />, 'label'],
    ...(findConsoleJob(run.job).terms.isRisk ? [riskColumn] : []),
    ['Cost', '5rem', ({ result }) => <Figure>{result && formatCost(result.usage.costUsd)}</Figure>, 'cost'],
    ['Time', '5rem', ({ result }) => <Figure>{result && formatDuration(result.usage.latencyMs)}</Figure>, 'latency'],
  ];
}

/** The label says on which side of its bar it lies. */
const riskColumn: GridColumn<SentRunItem> = [
  'Risk',
  '8rem',
  ({ result }) =>
    result && <Score value={result.risk} label="Risk" tone={findLabelLook(result.label).tone} width="w-12" />,
  'risk',
];

function Figure({ children }: { children: string | null }) {
  return <span className="text-sm whitespace-nowrap tabular-nums">{children ?? '–'}</span>;
}

interface OutcomeProps {
  row: SentRunItem;
  of: number;
  name: string;
  withUsage?: boolean;
}

function Outcome({ row, of, name, withUsage = false }: OutcomeProps) {
  const outcome = of === 0 ? row : (row.others[of - 1] ?? null);
  if (outcome === null) return <span className="text-sm text-quiet">not in this run</span>;
  const { result, state } = outcome;
  if (!result) return <Badge tone={state === 'failed' ? 'risk' : 'quiet'}>{stateNames[state]}</Badge>;
  return (
    <VerdictCell
      name={`${row.key} in ${name}`}
      label={result.label}
      score={withUsage ? result.risk : null}
      right={row.expected === null ? null : result.label === row.expected}
      usage={withUsage ? result.usage : undefined}
      caseId={result.case}
    />
  );
}

function Details({ row, names }: { row: SentRunItem; names: readonly string[] }) {
  if (row.others.length === 0) return <ItemDetails item={row} />;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      {names.map((name, index) => {
        const outcome = index === 0 ? row : (row.others[index - 1] ?? null);
        return (
          <section key={index} className="grid min-w-0 content-start gap-2">
            <h3 className="words font-medium">{name}</h3>
            {outcome ? (
              <ItemDetails item={{ ...outcome, sameAs: null }} />
            ) : (
              <p className="text-quiet">This run does not have the item.</p>
            )}
          </section>
        );
      })}
    </div>
  );
}

function useChoices(run: SentRunReport, isFixed: boolean, isBeside: boolean): GridChoice[] {
  const runs = useInfiniteQuery({ ...runsQuery, enabled: !isFixed }).data?.pages.flatMap(({ rows }) => rows) ?? [];
  const labels = findConsoleJob(run.job).labels.map((label): Option => [label, findLabelLook(label).title]);
  const same = runs.filter(({ id, job }) => job === run.job && id !== run.id);
  return [
    { name: 'label', label: 'Verdict', options: labels },
    { name: 'expected', label: 'True label', options: labels },
    { name: 'outcome', label: 'Outcome', options: nameOptions('right', 'wrong') },
    { name: 'state', label: 'State', options: states.map((state) => [state, stateNames[state]]) },
    ...(isFixed || same.length === 0
      ? []
      : [
          {
            name: 'with',
            label: 'Beside',
            none: 'No other run',
            options: same.map((each): Option => [each.id, each.name ?? each.id]),
          },
        ]),
    ...(isBeside ? [{ name: 'changed', label: 'Changes', options: nameOptions(...changes) }] : []),
  ];
}

function makeOrders(isBeside: boolean): Option[] {
  return [
    ['position asc', 'As in the input'],
    ['key asc', 'By name'],
    ['risk desc', 'Highest risk first'],
    ['risk asc', 'Lowest risk first'],
    ['cost desc', 'Most expensive first'],
    ['latency desc', 'Slowest first'],
    ['latency asc', 'Fastest first'],
    ...(isBeside ? [['change desc', 'Largest change first'] as const] : []),
  ];
}
