import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { Loading, ProblemNotice } from '../../components/placeholders.tsx';
import type { Tone } from '../../components/tones.ts';
import { differenceQuery } from './policy-queries.ts';

const changeLooks: Record<'added' | 'removed' | 'changed', { words: string; tone: Tone }> = {
  added: { words: 'Added', tone: 'exoneration' },
  removed: { words: 'Removed', tone: 'risk' },
  changed: { words: 'Changed', tone: 'caution' },
};

/** What changes from one policy to another, clause by clause. */
export function PolicyDifference({ from, to }: { from: string; to: string }) {
  const { data, error, refetch } = useQuery(differenceQuery(from, to));
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading lines={3} what="Comparing" />;
  if (data.changes.length === 0) return <p>No differences.</p>;
  return (
    <ul className="grid gap-3">
      {data.changes.map(({ at, kind, what, before, after }, index) => (
        <li key={index} className="grid gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={changeLooks[kind].tone}>{changeLooks[kind].words}</Badge>{' '}
            <code className="font-mono text-sm">{at}</code> <span className="text-quiet">{what}</span>
          </p>
          {kind !== 'added' && (
            <p className="words border-s-4 border-risk ps-3">
              <del className="no-underline">
                <span className="sr-only">Before: </span>
                {formatValue(before)}
              </del>
            </p>
          )}
          {kind !== 'removed' && (
            <p className="words border-s-4 border-exoneration ps-3">
              <ins className="no-underline">
                <span className="sr-only">After: </span>
                {formatValue(after)}
              </ins>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Words as they are; lists and examples a line each. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(formatValue).join('\n');
  if (value !== null && typeof value === 'object')
    return Object.values(value).map(formatValue).filter(Boolean).join('\n');
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
