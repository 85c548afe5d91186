import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Analysis } from '../../api/types.ts';
import { Card, Section } from '../../components/card.tsx';
import { CopyButton, buttonClass, Button } from '../../components/button.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { ProblemNotice, Skeleton } from '../../components/placeholders.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { DebateView } from '../../trial/debate-view.tsx';
import { SideScores } from '../../trial/side-scores.tsx';
import { PointingProvider } from '../../trial/quote-list.tsx';
import { RuleSteps } from '../../trial/rule-steps.tsx';
import { SubjectView } from '../../trial/subject-view.tsx';
import { ScoreChart } from '../../trial/score-chart.tsx';
import type { JudgedImage, TrialView } from '../../trial/trial-view.ts';
import { methodWords } from '../../trial/trial-words.ts';
import { listRuleSteps } from '../../trial/list-rule-steps.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';
import { Announcer } from './announcer.tsx';
import { ClaimsView } from './claims-view.tsx';
import { TrialStatus } from './trial-status.tsx';
import { useObjectUrls } from './use-object-urls.ts';
import type { Connection } from '../../api/client.ts';

interface TrialPaneProps {
  view: TrialView;
  connection: Connection;
  /** The images that were given here. */
  images: readonly File[];
  onStop: (() => void) | null;
  onAgain: (() => void) | null;
}

/** A trial on the page: what is judged and what came of it on the left, the debate on the right. */
export function TrialPane({ view, connection, images, onStop, onAgain }: TrialPaneProps) {
  const urls = useObjectUrls(images);
  const imageUrl = ({ id, hash }: JudgedImage) =>
    urls[Number(id.replace('image-', '')) - 1] ??
    (hash !== null && view.id !== null
      ? `/api/cases/${encodeURIComponent(view.id)}/attachments/${encodeURIComponent(hash)}`
      : null);
  const actions = view.id !== null && (
    <>
      <Link
        {...(view.job === 'documents' ? { to: '/documents/$id' } : { to: '/cases/$id' })}
        params={{ id: view.id }}
        className={buttonClass('primary', 'small')}
      >
        {view.job === 'documents' ? 'Open the document' : 'Open the case'}
      </Link>
      <CopyButton text={trialUrl(view.id)}>Copy link</CopyButton>
    </>
  );
  return (
    <PointingProvider>
      <Announcer view={view} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]">
        <div
          className="grid gap-4 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:pr-1"
          tabIndex={0}
          role="region"
          aria-label="Content and verdict"
        >
          {view.job === 'documents' ? (
            <Dossier names={view.documents} />
          ) : (
            <Card
              className="max-h-[55dvh] overflow-y-auto lg:max-h-[42dvh]"
              data-pane
              role="region"
              aria-label="What is judged"
              tabIndex={0}
            >
              <h2 className="sr-only">What is judged</h2>
              <SubjectView view={view} imageUrl={imageUrl} />
              {view.sources.length === 0 && view.images.length === 0 && (
                <div className="grid gap-2">
                  <Skeleton />
                  <Skeleton />
                  <Skeleton className="h-5 w-2/3" />
                </div>
              )}
            </Card>
          )}
          {view.state === 'live' && <TrialStatus view={view} connection={connection} onStop={onStop} />}
          {view.state === 'failed' && <ProblemNotice error={view.problem} {...(onAgain ? { retry: onAgain } : {})} />}
          {view.state === 'stopped' && <Stopped onAgain={onAgain} />}
          {view.job === 'documents' ? (
            view.answer?.job === 'documents' && <Outlook outlook={view.answer.outlook}>{actions}</Outlook>
          ) : (
            <VerdictBanner view={view}>{view.state === 'ended' && actions}</VerdictBanner>
          )}
          <Rules view={view} />
        </div>
        <div className="grid min-w-0 gap-5">
          <Scores view={view} />
          {view.job === 'documents' ? (
            <ClaimsView claims={view.claims} ended={view.state === 'ended'} />
          ) : (
            <section aria-label="The debate">
              <h2 className="sr-only">The debate</h2>
              <DebateView view={view} />
            </section>
          )}
          {view.state === 'live' && view.turns.size === 0 && view.claims.size === 0 && (
            <div aria-hidden className="grid gap-3 md:grid-cols-2">
              <Skeleton className="h-40 rounded-xl" />
              <Skeleton className="h-40 rounded-xl" />
            </div>
          )}
        </div>
      </div>
    </PointingProvider>
  );
}

/** Where everybody sees the same trial. */
export function trialUrl(id: string): string {
  return `${location.origin}/?case=${encodeURIComponent(id)}`;
}

function Dossier({ names }: { names: readonly string[] }) {
  return (
    <Card className="grid gap-1">
      <h2 className="text-lg">Documents</h2>
      <ul>
        {names.map((name) => (
          <li key={name} className="words">
            {name}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Outlook({ outlook: { label, brief }, children }: { outlook: Analysis['outlook']; children: ReactNode }) {
  return (
    <Card className="grid gap-3">
      <h2 className="flex flex-wrap items-center justify-between gap-2 text-lg">
        Outlook <LabelBadge label={label} />
      </h2>
      <p className="words">
        <PlainText text={brief} />
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </Card>
  );
}

/** How the sides stand, and how they came there. */
function Scores({ view }: { view: TrialView }) {
  if (view.job === 'documents' || ![...view.turns.values()].some(({ round }) => round !== null)) return null;
  return (
    <Card className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] xl:items-center">
      <SideScores view={view} />
      <ScoreChart view={view} />
    </Card>
  );
}

function Rules({ view }: { view: TrialView }) {
  if (view.job === 'documents' || view.state === 'failed' || view.state === 'stopped') return null;
  if (listRuleSteps(view) === null)
    return view.method === null ? null : (
      <p className="px-1 text-sm text-quiet">{methodWords(view.job, view.method).how}</p>
    );
  return (
    <Card>
      <Section title="The rules" lead={methodWords(view.job, 'debate').how}>
        <RuleSteps view={view} />
      </Section>
    </Card>
  );
}

function Stopped({ onAgain }: { onAgain: (() => void) | null }) {
  return (
    <Card className="grid gap-3">
      <p>
        <strong className="font-medium">Stopped, and not decided.</strong> What was argued is on record: judged again,
        the trial goes on from there.
      </p>
      {onAgain && (
        <div>
          <Button size="small" variant="primary" onClick={onAgain}>
            Go on
          </Button>
        </div>
      )}
    </Card>
  );
}
