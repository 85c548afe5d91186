import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileSearch } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { client } from '../../api/client.ts';
import { askPages } from '../../api/query-options.ts';
import { Section, Page, EmptyState, ListView } from '../../components/page.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { classes } from '../../components/tones.ts';
import { When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { isRunning } from './live-analysis.ts';
import { leaveAnalysis, useLiveAnalysis } from './live-store.ts';
import { LiveView } from './live-view.tsx';
import { NewAnalysis } from './new-analysis.tsx';

/** Reports in, claims with their verdicts out; and those that were analysed before. */
export function DocumentsPage() {
  const may = useMay('judge');
  const live = useLiveAnalysis();
  const navigate = useNavigate();
  // Whoever begins one here is led to it; whoever comes back while it runs may stay.
  const found = useRef(live?.id ?? null);
  const id = live && isRunning(live) ? live.id : null;
  useEffect(() => {
    if (id !== null && id !== found.current) void navigate({ to: '/documents/$id', params: { id } });
  }, [id, navigate]);
  useEffect(() => leaveAnalysis, []);
  return (
    <Page
      title="Documents"
      lead={
        'Analyse a report, or several files as one dossier. Its claims are debated, quotations verified, and ' +
        'numbers recomputed.'
      }
    >
      {live && live.state !== 'done' && <LiveView live={live} />}
      {id !== null && (
        <p>
          <Link to="/documents/$id" params={{ id }} className="text-link underline">
            Open the analysis
          </Link>
        </p>
      )}
      {may && !(live && isRunning(live)) && <NewAnalysis />}
      <PastAnalyses mayJudge={may} />
    </Page>
  );
}

const analysesQuery = askPages(['cases', 'documents'], (page, options) =>
  client.cases.list({ job: 'documents', limit: 20, ...page }, options),
);

function PastAnalyses({ mayJudge }: { mayJudge: boolean }) {
  return (
    <Section title="Past analyses">
      <ListView
        list={useInfiniteQuery(analysesQuery)}
        lines={5}
        empty={
          <EmptyState title="No analyses yet" icon={FileSearch}>
            {mayJudge ? 'Drop a report above, or try the sample.' : 'Your key can view analyses, but not start one.'}
          </EmptyState>
        }
      >
        {(rows) => (
          <ul className="divide-y divide-line rounded-xl border bg-surface">
            {rows.map(({ id, label, state, excerpt, openedAt, again }) => (
              <li key={id}>
                <Link
                  to="/documents/$id"
                  params={{ id }}
                  className={classes(
                    'grid gap-1 px-4 py-3 text-ink no-underline hover:bg-paper sm:grid-cols-[9rem_1fr_auto]',
                    'sm:items-center sm:gap-4',
                  )}
                >
                  <span>
                    <LabelBadge label={label} state={state} />
                  </span>
                  <span className="words line-clamp-2">
                    {excerpt ?? 'Content forgotten'}
                    {again && <span className="text-sm text-quiet"> ({again.how})</span>}
                  </span>
                  <span className="text-sm text-quiet">
                    <When moment={openedAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </Section>
  );
}
