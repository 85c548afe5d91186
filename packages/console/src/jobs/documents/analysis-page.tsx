import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { describeProblem } from '../../api/problem.ts';
import { Page, ProblemNotice } from '../../components/page.tsx';
import { AnalysisView } from './analysis-view.tsx';
import { analysisQuery, filesQuery, followAnalysis, useLiveAnalysis } from './live-store.ts';
import { LiveView } from './live-view.tsx';

/** One analysis: as it happens, or as it stands on record. */
export function AnalysisPage() {
  const { id } = useParams({ from: '/documents/$id' });
  const live = useLiveAnalysis();
  const own = live?.id === id && live.state !== 'done' ? live : null;
  const analysis = useQuery({ ...analysisQuery(id), enabled: own === null });
  const files = useQuery({ ...filesQuery(id), enabled: own === null });
  const unfinished = analysis.error !== null && describeProblem(analysis.error).code === 'unfinished-case';
  useEffect(() => {
    if (unfinished) followAnalysis(id);
  }, [unfinished, id]);

  if (own) {
    return (
      <Page title="Analysis" lead={own.documents.map(({ name }) => name).join(', ') || undefined}>
        <LiveView live={own} retry={() => followAnalysis(id)} />
      </Page>
    );
  }
  if (analysis.error && !unfinished) {
    return (
      <Page title="Analysis">
        <ProblemNotice error={analysis.error} retry={() => void analysis.refetch()} />
        <p>
          <Link to="/documents" className="text-link underline">
            All analyses
          </Link>
        </p>
      </Page>
    );
  }
  return <AnalysisView id={id} analysis={analysis.data ?? null} files={files.data ?? (files.error ? [] : null)} />;
}
