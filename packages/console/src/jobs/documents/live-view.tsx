import { CircleDashed, FileText, LoaderCircle, Square } from 'lucide-react';
import { describeRule, nameStep } from '@agonhq/documents/view';
import { Button } from '../../components/button.tsx';
import { Card, ProblemNotice } from '../../components/page.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { classes } from '../../components/tones.ts';
import { isRunning, type LiveAnalysis, type LiveClaim } from './live-analysis.ts';
import { stopAnalysis } from './live-store.ts';

const stateTitles: Record<LiveAnalysis['state'], string> = {
  reading: 'Reading files',
  'finding-claims': 'Finding claims',
  debating: 'Debating claims',
  writing: 'Writing the outlook',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** An analysis as it happens: its claims appear, then their verdicts, one by one. */
export function LiveView({ live, retry }: { live: LiveAnalysis; retry?: () => void }) {
  const under = isRunning(live);
  const judged = live.claims?.filter(({ label }) => label !== null).length ?? 0;
  return (
    <div className="grid gap-4" data-live={live.state}>
      <Card className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p role="status" className="flex items-center gap-2 font-medium">
            {under && <LoaderCircle aria-hidden className="size-5 animate-spin text-link" />}
            {stateTitles[live.state]}
            {live.claims && live.claims.length > 0 && under ? `: ${judged} of ${live.claims.length} judged` : ''}
          </p>
          {under && (
            <Button size="small" variant="danger" onClick={stopAnalysis}>
              <Square aria-hidden className="size-3.5" /> Stop
            </Button>
          )}
        </div>
        {live.documents.length > 0 && (
          <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-quiet">
            {live.documents.map(({ name, kind, blocks }) => (
              <li key={name} className="flex min-w-0 items-center gap-1.5">
                <FileText aria-hidden className={classes('size-4 flex-none')} />{' '}
                <span className="truncate">{name}</span> {kind}, {blocks} {blocks === 1 ? 'block' : 'blocks'}
              </li>
            ))}
            {live.numbers > 0 && (
              <li>
                {live.numbers} number {live.numbers === 1 ? 'check' : 'checks'}
              </li>
            )}
          </ul>
        )}
        {live.claims && live.claims.length > 0 && (
          <div
            role="progressbar"
            aria-label="Claims judged"
            aria-valuemin={0}
            aria-valuemax={live.claims.length}
            aria-valuenow={judged}
            className="h-2 overflow-hidden rounded-full bg-line"
          >
            <div
              className="h-full rounded-full bg-link transition-[width] duration-500"
              style={{ width: `${(judged / live.claims.length) * 100}%` }}
            />
          </div>
        )}
        {live.state === 'stopped' && (
          <p className="text-quiet">Nothing is lost. Analyse the same files again to continue where it stopped.</p>
        )}
      </Card>
      {live.state === 'failed' && <ProblemNotice error={live.error} {...(retry ? { retry } : {})} />}
      {live.claims?.length === 0 && <p className="text-quiet">No claims were found. The numbers were still checked.</p>}
      <ol className="grid gap-2">
        {live.claims?.map((claim, index) => (
          <ClaimRow key={claim.id} claim={claim} number={index + 1} under={under} />
        ))}
      </ol>
    </div>
  );
}

function ClaimRow({ claim, number, under }: { claim: LiveClaim; number: number; under: boolean }) {
  const last = claim.heard.at(-1);
  return (
    <li className="grid gap-1 rounded-xl border bg-surface px-4 py-3" data-live-claim={claim.label ?? 'open'}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-sm text-quiet">Claim {number}</span>
        {claim.label !== null ? (
          <LabelBadge label={claim.label} />
        ) : (
          <span className="inline-flex items-center gap-1.5 text-sm text-quiet">
            {under && last !== undefined ? (
              <LoaderCircle aria-hidden className="size-4 animate-spin" />
            ) : (
              <CircleDashed aria-hidden className="size-4" />
            )}{' '}
            {last === undefined ? 'waiting' : `${nameStep(last)} done`}
          </span>
        )}
      </div>
      <p className="words font-medium">{claim.text}</p>
      {claim.rule !== null ? (
        <p className="text-sm text-quiet">Decided by {describeRule(claim.rule)}.</p>
      ) : (
        claim.statement !== '' && <p className="words line-clamp-2 text-sm text-quiet">{claim.statement}</p>
      )}
    </li>
  );
}
