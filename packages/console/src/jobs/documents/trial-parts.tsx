import { CircleDashed, LoaderCircle } from 'lucide-react';
import { memo } from 'react';
import type { SentAnswer } from '../../api/client.ts';
import { Card } from '../../components/page.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { PlainText } from '../../components/text.tsx';
import type { ClaimView } from '../../trial/trial-view.ts';
import type { TrialPartProps } from '../console-job.ts';

/* A dossier on the Judge page: its files, its claims as they are found, argued and judged, and the outlook. */

export function DocumentsSubject({ view: { documents } }: TrialPartProps) {
  return (
    <Card className="grid gap-1">
      <h2 className="text-lg">Documents</h2>
      <ul>
        {documents.map((name) => (
          <li key={name} className="words">
            {name}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function DocumentsOutcome({ view: { answer }, actions }: TrialPartProps) {
  if (answer?.job !== 'documents') return null;
  const { label, brief } = answer.outlook;
  return (
    <Card className="grid gap-3">
      <h2 className="flex flex-wrap items-center justify-between gap-2 text-lg">
        Outlook <LabelBadge label={label} />
      </h2>
      <p className="words">
        <PlainText text={brief} />
      </p>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </Card>
  );
}

export function DocumentsProceedings({ view: { claims, state } }: TrialPartProps) {
  if (claims.size === 0) return state === 'ended' ? <p className="text-quiet">No claims were found.</p> : null;
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
          {state === 'argued' ? 'being argued' : 'waiting'}
        </span>
      )}
    </Card>
  );
});

/** What the record of an analysis says of it; its claims and pages have a page of their own. */
export function CaseSummary({ answer }: { answer: SentAnswer }) {
  if (answer.job !== 'documents') return null;
  const { documents, claims, outlook } = answer;
  const counts = Map.groupBy(claims, ({ verdict }) => verdict.label);
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <LabelBadge label={outlook.label} />{' '}
        <span className="text-quiet">{documents.map(({ name }) => name).join(', ')}</span>
      </div>
      <p className="words">
        <PlainText text={outlook.rule.why} />
      </p>
      <ul aria-label="Claims" className="flex flex-wrap gap-x-4 gap-y-2">
        {[...counts].map(([label, some]) => (
          <li key={label} className="inline-flex items-center gap-2">
            {some.length} <LabelBadge label={label} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
