import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Ruler } from 'lucide-react';
import type { BenchReport, BenchSet } from '../../api/client.ts';
import { SelectField } from '../../components/field.tsx';
import { Page, EmptyState, QueryView } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { useSearchState } from '../../routing/search.ts';
import { SystemsFigure, SystemsTable } from './bench-figures.tsx';
import { BenchGrid } from './grid/bench-grid.tsx';
import { BenchActions, BenchProgress } from './bench-progress.tsx';
import { BenchState } from './bench-list.tsx';
import { ConfusionTable } from './quality.tsx';
import { TextLink } from '../../components/button.tsx';
import { benchQuery } from '../../api/query-options.ts';

/** A bench: its systems side by side on each set of data, and every item of it. */
export function BenchPage() {
  const { id } = useParams({ from: '/evaluations/benches/$id' });
  const query = useQuery(benchQuery(id));
  return (
    <Page
      wide
      title={query.data ? (query.data.name ?? id) : 'Bench'}
      lead={
        <TextLink to="/evaluations" search={{ tab: 'benches' } as never}>
          All benches
        </TextLink>
      }
      actions={query.data && <BenchActions bench={query.data} />}
    >
      <QueryView query={query} lines={10} what="Computing figures">
        {(bench) => <Sets bench={bench} />}
      </QueryView>
    </Page>
  );
}

function Sets({ bench }: { bench: BenchReport }) {
  const [{ index, metric, system }, change] = useSearchState((raw) => ({
    index: /^\d{1,4}$/.test(raw['set'] ?? '') ? Number(raw['set']) : 0,
    metric: raw['metric'],
    system: raw['of'],
  }));
  const set = bench.sets[index] ?? bench.sets[0];
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <BenchState state={bench.state} />{' '}
        <span className="text-sm text-quiet">
          {bench.live ? 'Started' : `${bench.judged.toLocaleString()} judgements, started`}{' '}
          <When moment={bench.startedAt} />
        </span>
      </p>
      {bench.problem && <p className="words text-risk">{bench.problem}</p>}
      {bench.progress && <BenchProgress progress={bench.progress} />}
      {bench.sets.length > 1 && (
        <SelectField
          label="Data"
          className="max-w-md"
          value={String(bench.sets.indexOf(set!))}
          onChange={(value) =>
            change({
              set: value,
              metric: undefined,
              of: undefined,
              only: undefined,
              system: undefined,
              category: undefined,
              against: undefined,
              gold: undefined,
              search: undefined,
              sort: undefined,
              order: undefined,
              item: undefined,
            })
          }
          options={bench.sets.map(({ title, items }, number) => [
            String(number),
            `${title}${items === null ? '' : ` (${items.toLocaleString()} items)`}`,
          ])}
        />
      )}
      {!set || set.systems.length === 0 ? (
        <EmptyState title="No figures yet" icon={Ruler}>
          {bench.live
            ? 'Figures appear here when every system has judged every item.'
            : `The bench has not reached ${set ? set.title : 'any data'} yet. Figures appear here when it does.`}
        </EmptyState>
      ) : (
        <>
          <p className="words -mt-2 text-sm text-quiet">
            {set.title}: {set.file}, {(set.items ?? 0).toLocaleString()} items, {set.job}
          </p>
          {set.notes.length > 0 && (
            <ul className="grid gap-1 text-sm text-quiet">
              {set.notes.map((note) => (
                <li key={note} className="words">
                  {note}
                </li>
              ))}
            </ul>
          )}
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <SystemsFigure
              set={set}
              metric={
                metric !== undefined && set.systems.some(({ metrics }) => metrics[metric] !== undefined)
                  ? metric
                  : (set.leads ?? 'accuracy')
              }
              onMetric={(name) => change({ metric: name })}
            />
            <Confusion set={set} system={system} onSystem={(name) => change({ of: name })} />
          </div>
          <SystemsTable set={set} />
          <BenchGrid key={bench.sets.indexOf(set)} bench={bench.id} set={set} index={bench.sets.indexOf(set)} />
        </>
      )}
    </>
  );
}

interface ConfusionProps {
  set: BenchSet;
  system: string | undefined;
  onSystem: (name: string) => void;
}

function Confusion({ set, system, onSystem }: ConfusionProps) {
  const shown = set.systems.find(({ name }) => name === system) ?? set.systems[0]!;
  return (
    <div className="grid gap-3">
      <SelectField
        label="Confusion matrix of"
        value={shown.name}
        onChange={onSystem}
        options={set.systems.map(({ name }) => [name, name])}
      />
      <ConfusionTable
        confusion={Object.fromEntries(shown.confusion.map(({ gold, said, items }) => [`${gold} as ${said}`, items]))}
        label={`True labels against the answers of ${shown.name}`}
      />
    </div>
  );
}
