import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkWords } from '../../../../../src/reports/documents/words.ts';
import { Badge } from '../../../components/badge.tsx';
import type { NumberFinding } from '../trace/types.ts';

/** What a number tool computed, step by step, and where the numbers stand. */
export function NumberCheck({ finding, children }: { finding: NumberFinding; children: ReactNode }) {
  const conflict = finding.outcome === 'conflict';
  return (
    <div className="grid gap-1.5 rounded-lg border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        {conflict ? (
          <Badge tone="risk">
            <CircleX aria-hidden className="size-4" /> Conflict
          </Badge>
        ) : (
          <Badge tone="exoneration">
            <CircleCheck aria-hidden className="size-4" /> Holds
          </Badge>
        )}
        <span className="text-sm text-quiet">{checkWords(finding.check)}</span>
      </div>
      <p className="words">{finding.statement}</p>
      <p className="words rounded-md bg-paper px-3 py-1.5 font-mono text-sm">{finding.arithmetic}</p>
      {children}
    </div>
  );
}
