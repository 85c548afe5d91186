import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { LibraryBig } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { EmptyState, ListView, QueryView } from '../../components/page.tsx';
import { pickOne, type RawSearch, useSearchState } from '../../routing/search.ts';
import { PrecedentCard } from './precedent-card.tsx';
import { policyQuery, precedentQuery, precedentsQuery } from '../../api/query-options.ts';
import { findLabelLook } from '../../components/badge.tsx';

const states = ['active', 'retired', 'overruled', 'proposed'] as const;
const labels = ['safe', 'unsafe'] as const;
const stateTitles = { active: 'In force', retired: 'Retired', overruled: 'Overruled', proposed: 'Proposed' };

function readFilter(raw: RawSearch) {
  return {
    state: pickOne(states, raw['state']),
    label: pickOne(labels, raw['label']),
    category: raw['category'],
    search: raw['search'],
    id: raw['id'],
  };
}

export function PrecedentList() {
  const [{ id, ...filter }, change] = useSearchState(readFilter);
  const [words, setWords] = useState(filter.search ?? '');
  const { state = 'active', ...rest } = filter;
  const wanted = useDeferredValue(JSON.stringify({ state, ...rest }));
  const list = useInfiniteQuery(precedentsQuery(JSON.parse(wanted) as Parameters<typeof precedentsQuery>[0]));
  const { data: policy } = useQuery(policyQuery('active'));
  return (
    <>
      {id !== undefined && <NamedPrecedent id={id} close={() => change({ id: undefined })} />}
      <Form
        role="search"
        aria-label="Precedents"
        className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[2fr_1fr_1fr_1.5fr_auto]"
        onSubmit={() => change({ search: words })}
      >
        <InputField
          label="Search for"
          className="col-span-2 lg:col-span-1"
          type="search"
          value={words}
          onChange={setWords}
          onBlur={() => change({ search: words })}
        />
        <SelectField
          label="State"
          value={state}
          onChange={(value) => change({ state: value === 'active' ? undefined : value })}
          options={states.map((name) => [name, stateTitles[name]])}
        />
        <SelectField
          label="Label"
          value={filter.label ?? ''}
          onChange={(label) => change({ label })}
          none="Both"
          options={labels.map((label) => [label, findLabelLook(label).title])}
        />
        <SelectField
          label="Category"
          value={filter.category ?? ''}
          onChange={(value) => change({ category: value })}
          none="All"
          options={policy?.categories.map(({ id: category, title }) => [category, title])}
        />
        <Button type="submit">Search</Button>
      </Form>
      <ListView
        list={list}
        lines={8}
        what="Loading precedents"
        centred
        empty={
          <EmptyState
            icon={LibraryBig}
            title="No matching precedents"
            action={
              <Button
                onClick={() => {
                  setWords('');
                  change({ state: undefined, label: undefined, category: undefined, search: undefined });
                }}
              >
                Show all in force
              </Button>
            }
          >
            Try other words or another state.
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="grid gap-3">
            {rows.map((precedent) => (
              <li key={precedent.id}>
                <PrecedentCard precedent={precedent} />
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </>
  );
}

function NamedPrecedent({ id, close }: { id: string; close: () => void }) {
  return (
    <div className="grid gap-2 rounded-xl border-2 border-link p-2">
      <QueryView query={useQuery(precedentQuery(id))} lines={3}>
        {(precedent) => <PrecedentCard precedent={precedent} open />}
      </QueryView>
      <Button size="small" variant="quiet" className="justify-self-start" onClick={close}>
        Close
      </Button>
    </div>
  );
}
