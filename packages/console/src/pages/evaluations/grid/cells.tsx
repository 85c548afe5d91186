import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { formatCost, formatDuration } from '../../../charts/format-figures.ts';
import { Badge, LabelBadge } from '../../../components/badge.tsx';
import { showScore } from '../../../components/bars.tsx';
import { PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';

/* What the cells of a grid say. */

/** How an item begins, below its name. */
export function ItemCell({ name, excerpt }: { name: string; excerpt: string | null }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="words line-clamp-2 leading-snug">
        {excerpt === null ? <i className="text-quiet">No content</i> : <PlainText text={excerpt} />}
      </p>
      <p className="truncate text-sm text-quiet">{name}</p>
    </div>
  );
}

interface VerdictCellProps {
  /** What it is called by those who listen: `item-2 in nightly`. */
  name: string;
  label: string;
  score: number | null;
  /** Null where nobody knows. */
  right: boolean | null;
  usage?: { costUsd: number | null; latencyMs: number | null };
  caseId?: string;
}

/** A verdict, whether it is right, and what it took. */
export function VerdictCell({ name, label, score, right, usage, caseId }: VerdictCellProps) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {caseId === undefined ? (
          <LabelBadge label={label} />
        ) : (
          <Link to="/cases/$id" params={{ id: caseId }} aria-label={`${name}: ${label}`} className="no-underline">
            <LabelBadge label={label} />
          </Link>
        )}
        <RightMark right={right} />
      </p>
      {(score !== null || usage) && (
        <p className="mt-0.5 text-sm text-quiet tabular-nums">
          {[
            score === null ? null : showScore(score),
            usage ? `${formatCost(usage.costUsd)} · ${formatDuration(usage.latencyMs)}` : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </div>
  );
}

function RightMark({ right }: { right: boolean | null }) {
  if (right === null) return null;
  const Icon = right ? Check : X;
  return (
    <span className={classes('inline-flex items-center', right ? 'text-exoneration' : 'text-risk')}>
      <Icon aria-hidden className="size-5" strokeWidth={2.5} />
      <span className="sr-only">{right ? 'right' : 'wrong'}</span>
    </span>
  );
}

export type VerdictChange = 'flipped' | 'corrected' | 'broken' | null;

const changes = {
  flipped: ['both', 'Flipped'],
  corrected: ['exoneration', 'Corrected'],
  broken: ['risk', 'Broken'],
} as const;

/** What another system made of the first one's verdict. */
export function ChangeBadge({ change }: { change: VerdictChange }) {
  if (change === null) return <span className="text-sm text-quiet">Same</span>;
  return <Badge tone={changes[change][0]}>{changes[change][1]}</Badge>;
}

/** How the verdicts of others stand to the first: null where all agree, or nobody can tell. */
export function findChange(
  first: string | null,
  others: readonly (string | null)[],
  truth: string | null,
): VerdictChange {
  const different = first === null ? [] : others.filter((label) => label !== null && label !== first);
  if (different.length === 0) return null;
  if (truth !== null && first === truth) return 'broken';
  return truth !== null && different.includes(truth) ? 'corrected' : 'flipped';
}

export function TrueLabel({ label }: { label: string | null }) {
  return label === null ? <span className="text-sm text-quiet">none</span> : <span className="text-sm">{label}</span>;
}
