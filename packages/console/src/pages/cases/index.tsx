import { useNavigate } from '@tanstack/react-router';
import { SearchX, SlidersHorizontal } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, EmptyState, Loading, Page, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { judgeSample } from '../../jobs/job-parts.ts';
import { useSearchState } from '../../routing/search.ts';
import { useJobs, useMay } from '../../session/session.ts';
import { listChosen, noFilters, readFilter } from './case-filter.ts';
import { CaseList } from './case-list.tsx';
import { FilterChips, FilterPanel } from './filter-panel.tsx';
import { useCaseList } from './use-case-list.ts';
import { useAction } from '../../components/use-action.ts';

export function CasesPage() {
  const [read, change] = useSearchState(readFilter);
  // The same filter is the same object: lists are kept by it.
  const written = JSON.stringify(read);
  const filter = useMemo(() => JSON.parse(written) as typeof read, [written]);
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const clear = () => change(noFilters);
  useHotkeys({ '/': () => box.current?.focus() });
  const cases = useCaseList(filter);
  const isFiltered = listChosen(filter).length > 0;
  const isEmpty = cases.state === 'there' && cases.rows.length === 0;
  return (
    <Page
      wide
      title="Cases"
      lead="Everything that was judged, with the full debate."
      actions={
        <p className="hidden items-center gap-1.5 text-sm text-quiet lg:flex">
          <KeyHint>/</KeyHint> search <KeyHint>j</KeyHint> <KeyHint>k</KeyHint> move <KeyHint>Enter</KeyHint> open
        </p>
      }
    >
      <search className="grid gap-3">
        <div className="flex gap-2">
          <SearchBox
            label="Search cases"
            box={box}
            value={filter.search ?? ''}
            onChange={(search) => change({ search })}
          />
          <Button
            icon={SlidersHorizontal}
            className="flex-none"
            aria-expanded={open}
            aria-controls="case-filters"
            onClick={() => setOpen(!open)}
          >
            Filters
          </Button>
        </div>
        <Card id="case-filters" hidden={!open}>
          {open && <FilterPanel filter={filter} change={change} />}
        </Card>
        <FilterChips filter={filter} change={change} clear={clear} />
      </search>
      {cases.error !== null && (
        <ProblemNotice error={cases.error} retry={cases.state === 'failed' ? cases.again : cases.more} />
      )}
      {cases.state === 'loading' && <ListSkeleton />}
      {isEmpty && (isFiltered ? <NoMatches clear={clear} /> : <NoCases />)}
      {cases.state === 'there' && !isEmpty && <CaseList key={written} cases={cases} />}
    </Page>
  );
}

function ListSkeleton() {
  return (
    <Loading what="Loading cases" className="divide-y rounded-xl border bg-surface">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="grid h-19 content-center gap-2 px-4">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </Loading>
  );
}

function NoCases() {
  const mayJudge = useMay('judge');
  const job = useJobs().find(({ form }) => form.samples.length > 0);
  const sample = job?.form.samples[0];
  const navigate = useNavigate();
  const judge = useAction({
    act: () => judgeSample(client, job!, sample!.texts),
    onDone: (id) => navigate({ to: '/cases/$id', params: { id } }),
  });
  return (
    <EmptyState
      title="Nothing has been judged yet"
      action={
        mayJudge && (
          <>
            {sample && (
              <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
                Judge a sample
              </Button>
            )}
            <ButtonLink to="/">Judge something else</ButtonLink>
          </>
        )
      }
    >
      Every verdict is listed here with its content, the debate and the rule that decided.{' '}
      {mayJudge && sample && <>Try it with “{Object.values(sample.texts).join(' · ')}”.</>}
    </EmptyState>
  );
}

function NoMatches({ clear }: { clear: () => void }) {
  return (
    <EmptyState
      title="No matching cases"
      icon={SearchX}
      action={
        <Button variant="primary" onClick={clear}>
          Clear all filters
        </Button>
      }
    >
      Search looks at the beginning of the content. Remove filters to find more.
    </EmptyState>
  );
}
