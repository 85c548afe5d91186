import { Card, Section, Skeleton } from '../components/page.tsx';
import type { TrialPartProps } from '../jobs/console-job.ts';
import { DebateView } from './debate-view.tsx';
import { listRuleSteps, RuleSteps } from './rule-steps.tsx';
import { ScoreChart } from './score-chart.tsx';
import { SideScores } from './side-scores.tsx';
import { SubjectView } from './subject-view.tsx';
import type { TrialView } from './trial-view.ts';
import { VerdictBanner } from './verdict-banner.tsx';

/* A debate on the Judge page. */

export function Subject({ view, fileUrl }: TrialPartProps) {
  return (
    <Card
      className="max-h-[55dvh] overflow-y-auto lg:max-h-[42dvh]"
      data-pane
      role="region"
      aria-label="What is judged"
      tabIndex={0}
    >
      <h2 className="sr-only">What is judged</h2>
      <SubjectView view={view} fileUrl={fileUrl} />
      {view.sources.length + view.images.length + view.recordings.length === 0 && (
        <div className="grid gap-2">
          <Skeleton />
          <Skeleton />
          <Skeleton className="h-5 w-2/3" />
        </div>
      )}
    </Card>
  );
}

export function Outcome({ view, actions }: TrialPartProps) {
  return (
    <>
      <VerdictBanner view={view}>{view.state === 'ended' && actions}</VerdictBanner>
      <Rules view={view} />
    </>
  );
}

export function Proceedings({ view }: TrialPartProps) {
  const hasRounds = [...view.turns.values()].some(({ round }) => round !== null);
  return (
    <>
      {hasRounds && (
        <Card className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] xl:items-center">
          <SideScores view={view} />
          <ScoreChart view={view} />
        </Card>
      )}
      <section aria-label="The debate">
        <h2 className="sr-only">The debate</h2>
        <DebateView view={view} />
      </section>
    </>
  );
}

function Rules({ view }: { view: TrialView }) {
  if (view.state === 'failed' || view.state === 'stopped') return null;
  const { describeMethod } = view.job.terms;
  if (listRuleSteps(view) === null)
    return view.method === null ? null : <p className="px-1 text-sm text-quiet">{describeMethod(view.method).how}</p>;
  return (
    <Card>
      <Section title="Rules" lead={describeMethod('debate').how}>
        <RuleSteps view={view} />
      </Section>
    </Card>
  );
}
