import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Suspense } from 'react';
import type { CaseRecord, RunItem } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Section, ListView, Loading, QueryView } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { SelectField } from '../../components/field.tsx';
import { Paragraph, PlainText } from '../../components/text.tsx';
import { pickListed } from '../../../../src/view/index.ts';
import { findScoreTone, Score } from '../../components/bars.tsx';
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
  return (
    <Section
      title="Items"
      actions={
        <SelectField
          label="Show"
          hideLabel
          value={state ?? ''}
          onChange={(value) => change({ state: value, item: undefined })}
          none="All items"
          options={states.map((one) => [one, stateNames[one]])}
        />
      }
    >
      <ListView list={list} lines={5} what="Loading items" empty={<p className="text-quiet">No matching items.</p>}>
        {(items) => (
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
      </ListView>
    </Section>
  );
}

interface ItemRowProps {
  item: RunItem;
  open: boolean;
  onToggle: () => void;
}

function ItemRow({ item: { key, state, expected, result }, open, onToggle }: ItemRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex min-w-0 flex-1 basis-48 items-center gap-2">
        <OpenToggle name={key} open={open} onToggle={onToggle} />
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
      {result && <Score value={result.score} tone={findScoreTone(result.label, true)} width="w-12" />}
      {result?.by === 'guard' && <span className="text-sm text-quiet">first tier</span>}
    </div>
  );
}

/** Opens what a list shows only the head of. */
export function OpenToggle({ name, open, onToggle }: { name: string; open: boolean; onToggle: () => void }) {
  return (
    <Button
      size="small"
      variant="quiet"
      icon={open ? ChevronDown : ChevronRight}
      aria-expanded={open}
      aria-label={`${open ? 'Close' : 'Open'} ${name}`}
      onClick={onToggle}
    />
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

function CaseSummary({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(caseQuery(id))} lines={3} what="Loading case">
      {(data) => <CaseFacts record={data} />}
    </QueryView>
  );
}

function CaseFacts({ record }: { record: CaseRecord }) {
  const { id, job, answer, excerpt } = record;
  const { readAnswer, terms, views } = findJob(job);
  const why = (answer && readAnswer(answer).verdict?.rule.why) ?? null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="words max-h-48 overflow-y-auto">
        {excerpt === null ? <i className="text-quiet">Content forgotten</i> : <PlainText text={excerpt} />}
      </p>
      <Facts
        facts={[
          ['Verdict', <LabelBadge key="label" label={record.label} />],
          [
            terms.score.title,
            <Score
              key="score"
              value={pickListed(record)}
              label={terms.score.title}
              tone={findScoreTone(record.label, terms.score.isRisk)}
            />,
          ],
          ['Rule', record.rule],
          ['Categories', record.categories.join(', ') || null],
          ['Models', record.models.join(', ')],
        ]}
      />
      {why !== null && <Paragraph text={why} className="text-quiet" />}
      {answer && views.figure?.isShown(answer) && (
        <Suspense fallback={<Loading lines={6} />}>
          <views.figure.Figure answer={answer} />
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
