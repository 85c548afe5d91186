import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense } from 'react';
import type { RunItem } from '../../api/types.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { SelectField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/placeholders.tsx';
import { Paragraph, PlainText } from '../../components/plain-text.tsx';
import { Score } from '../../components/bars.tsx';
import { findJob } from '../../jobs/index.ts';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { caseQuery, runItemsQuery } from '../../api/query-options.ts';

const states = ['done', 'failed', 'waiting', 'running', 'same'] as const;
const stateNames = {
  done: 'Judged',
  failed: 'Failed',
  waiting: 'Waiting',
  running: 'Being judged',
  same: 'Duplicate',
} as const;

/** Every item of a run, each with its case. What is open stands in the address. */
export function RunItems({ id }: { id: string }) {
  const [{ state, item }, change] = useSearchState((raw) => ({
    state: oneOf(states, raw['state']),
    item: /^\d+$/.test(raw['item'] ?? '') ? Number(raw['item']) : null,
  }));
  const list = useInfiniteQuery(runItemsQuery(id, state));
  const items = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Section
      title="Items"
      actions={
        <SelectField
          label="Show"
          hideLabel
          value={state ?? ''}
          onChange={(value) => change({ state: value || undefined, item: undefined })}
          none="All items"
          options={states.map((one) => [one, stateNames[one]])}
        />
      }
    >
      {list.isError && <ProblemNotice error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading lines={5} what="Loading items" />}
      {list.isSuccess && items.length === 0 && <p className="text-quiet">No matching items.</p>}
      {items.length > 0 && (
        <ul aria-label="Items" className="divide-y divide-line rounded-xl border bg-surface">
          {items.map((one) => (
            <li key={one.position} className="grid grid-cols-1 gap-3 px-3 py-2">
              <ItemRow
                item={one}
                open={item === one.position}
                onToggle={() => change({ item: item === one.position ? undefined : one.position })}
              />
              {item === one.position && (
                <div className="border-t pt-3">
                  <ItemDetails item={one} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Section>
  );
}

function ItemRow({
  item: { key, state, expected, result },
  open,
  onToggle,
}: {
  item: RunItem;
  open: boolean;
  onToggle: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex min-w-0 flex-1 basis-48 items-center gap-2">
        <Button
          size="small"
          variant="quiet"
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Open'} ${key}`}
          onClick={onToggle}
        >
          {open ? <ChevronDown aria-hidden className="size-4" /> : <ChevronRight aria-hidden className="size-4" />}
        </Button>
        <span className="words min-w-0">{key}</span>
      </span>
      {result ? (
        <LabelBadge label={result.label} />
      ) : (
        <Badge tone={state === 'failed' ? 'risk' : 'quiet'}>{stateNames[state]}</Badge>
      )}
      {expected !== null && (
        <span className={`text-sm ${result && result.label !== expected ? 'text-risk' : 'text-quiet'}`}>
          {result && (result.label === expected ? 'correct' : `wrong: should be ${expected}`)}
          {!result && `labelled ${expected}`}
        </span>
      )}
      {result && <Score value={result.score} width="w-12" />}
      {result?.by === 'guard' && <span className="text-sm text-quiet">first tier</span>}
    </div>
  );
}

function ItemDetails({ item: { result, error, sameAs } }: { item: RunItem }) {
  if (result) return <CaseSummary id={result.case} />;
  if (error)
    return (
      <p className="words text-risk">
        {error.message} <span className="text-quiet">{error.hint}</span>
      </p>
    );
  if (sameAs !== null) return <p className="text-quiet">Same content as item {sameAs}, so it has the same verdict.</p>;
  return <p className="text-quiet">Not judged yet.</p>;
}

/** The case behind an item: what was decided and why, and the drawing that its job has for it. */
function CaseSummary({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(caseQuery(id));
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={3} what="Loading case" />;
  const { readAnswer, terms, views } = findJob(data.job);
  const why = (data.answer && readAnswer(data.answer).verdict?.rule.why) ?? null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="words max-h-48 overflow-y-auto">
        {data.excerpt === null ? <i className="text-quiet">Content forgotten</i> : <PlainText text={data.excerpt} />}
      </p>
      <Facts
        facts={[
          ['Verdict', <LabelBadge key="label" label={data.label} />],
          ['Score', <Score key="score" value={data.score} isRisk={terms.score.isRisk} />],
          ['Rule', data.rule],
          ['Categories', data.categories.join(', ') || null],
          ['Models', data.models.join(', ')],
        ]}
      />
      {why !== null && <Paragraph text={why} className="text-quiet" />}
      {data.answer && views.figure?.isShown(data.answer) && (
        <Suspense fallback={<Loading lines={6} />}>
          <views.figure.Figure answer={data.answer} />
        </Suspense>
      )}
      <div>
        <ButtonLink to="/cases/$id" params={{ id }} size="small">
          Open case
        </ButtonLink>
      </div>
    </div>
  );
}
