import { CircleDashed, LoaderCircle } from 'lucide-react';
import { memo } from 'react';
import { Card } from '../../components/card.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import type { ClaimView, TrialView } from '../../trial/trial-view.ts';

/** The claims of documents as they are found, argued and judged. */
export function ClaimsView({ claims, ended }: { claims: TrialView['claims']; ended: boolean }) {
  if (claims.size === 0) return ended ? <p className="text-quiet">No claim was found in it.</p> : null;
  return (
    <ol aria-label="Claims" className="grid gap-2">
      {[...claims.values()].map((claim) => (
        <li key={claim.id}>
          <Claim claim={claim} />
        </li>
      ))}
    </ol>
  );
}

const Claim = memo(function Claim({ claim: { text, state, verdict } }: { claim: ClaimView }) {
  return (
    <Card className="flex flex-wrap items-start justify-between gap-3 py-3 sm:py-3">
      <p className="words min-w-0 flex-1 basis-64">
        <PlainText text={text} />
      </p>
      {state === 'judged' && verdict ? (
        <LabelBadge label={verdict.label} />
      ) : (
        <span className="inline-flex items-center gap-1.5 text-sm text-quiet">
          {state === 'argued' ? (
            <LoaderCircle aria-hidden className="size-4 animate-spin" />
          ) : (
            <CircleDashed aria-hidden className="size-4" />
          )}{' '}
          {state === 'argued' ? 'being argued' : 'waits'}
        </span>
      )}
    </Card>
  );
});
