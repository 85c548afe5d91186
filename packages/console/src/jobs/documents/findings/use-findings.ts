import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { arrangeFindings } from '@agonhq/documents/findings/arrange-findings';
import { listFindings } from '@agonhq/documents/findings/list-findings';
import { type LiveCorrection, editsQuery } from '../live-store.ts';
import type { ReadingPlace } from '../reading-place.ts';
import type { Analysis } from '../analysis-types.ts';

/** The findings of an analysis with what people made of them: all, those that are asked for, the one that is open. */
export function useFindings(
  id: string,
  analysis: Analysis | null,
  corrections: readonly LiveCorrection[],
  { part, finding, sort, show, search }: ReadingPlace,
) {
  const isShown = analysis !== null && part === 'findings';
  const { data: edits, error, refetch } = useQuery({ ...editsQuery(id), enabled: isShown });
  const all = useMemo(
    // What was edited is known before it is shown, so that a form opens with it.
    () => (isShown && edits ? listFindings(analysis, { corrections, edits }) : []),
    [isShown, analysis, corrections, edits],
  );
  const shown = useMemo(
    () => (analysis ? arrangeFindings(all, analysis, { sort, show, search }) : []),
    [analysis, all, sort, show, search],
  );
  return {
    all,
    shown,
    isReady: edits !== undefined,
    error,
    refetch,
    opened: all.find((one) => one.id === finding) ?? null,
  };
}
