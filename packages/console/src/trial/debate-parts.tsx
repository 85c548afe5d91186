import { Card, Section, Skeleton } from '../components/page.tsx';
import type { TrialJob, TrialPartProps } from '../jobs/console-job.ts';
import { DebateView } from './debate-view.tsx';
import { RuleSteps, listRuleSteps } from './rule-steps.tsx';
import { ScoreChart } from './score-chart.tsx';
import { SubjectView } from './subject-view.tsx';
import { type TrialTurn, type TrialView, findSeatRole } from './trial-view.ts';
import { VerdictBanner } from './verdict-banner.tsx';
import { useMemo } from 'react';
import { RiskTrack, findRiskTone, showScore } from '../components/bars.tsx';
import { classes, grounds, texts } from '../components/tones.ts';

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

/** How much risk each side sees at this moment: two bars that meet in the middle and move with the debate. */
function SideScores({ view }: { view: Pick<TrialView, 'job' | 'turns'> }) {
  const { job, turns } = view;
  const standings = useMemo(() => listStandings({ job, turns }), [job, turns]);
  if (standings.length === 0) return null;
  const [left, right] = (['left', 'right'] as const).map((part) =>
    standings.filter(({ role }) => findSeatRole(job, role).part === part && findSeatRole(job, role).side !== undefined),
  );
  if (left?.length !== 1 || right?.length !== 1) {
    return (
      <ul aria-label={`${job.terms.isRisk ? 'Risk' : 'Score'} by seat`} className="grid gap-2">
        {standings.map((turn) => (
          <li key={turn.seat} className="grid grid-cols-[7rem_1fr_2.5rem] items-center gap-3 text-sm">
            <span className="truncate">{job.terms.describeSeat({ seat: turn.seat, round: null })}</span>
            <Bar turn={turn} />
            <span className="text-right tabular-nums">{showStanding(turn)}</span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div
      role="group"
      aria-label={`${job.terms.isRisk ? 'Risk' : 'Score'} by side`}
      className="grid grid-cols-2 gap-x-1 gap-y-1.5"
    >
      <SideTitle turn={left[0]!} job={job} />
      <SideTitle turn={right[0]!} job={job} mirrored />
      <Bar turn={left[0]!} mirrored />
      <Bar turn={right[0]!} />
      {standings.some(({ risk }) => risk !== null) && (
        <p className="col-span-2 text-center text-xs text-quiet">
          Both say how risky they find it. The mark is the bar,{' '}
          {standings.find(({ risk }) => risk !== null)!.risk!.barText}.
        </p>
      )}
    </div>
  );
}

function showStanding({ risk, score }: TrialTurn): string {
  return risk?.text ?? (score === null ? '–' : showScore(score));
}

function SideTitle({ turn, job, mirrored = false }: SideTitleProps) {
  const { side } = findSeatRole(job, turn.role);
  const shown = (
    <span className={classes('text-xl tabular-nums', turn.risk && texts[findRiskTone(turn.risk)])}>
      {showStanding(turn)}
    </span>
  );
  return (
    <p className={classes('flex items-baseline justify-between gap-2 font-medium', mirrored ? 'pl-2' : 'pr-2')}>
      {mirrored && shown} <span>{side}</span> {!mirrored && shown}
    </p>
  );
}

interface SideTitleProps {
  turn: TrialTurn;
  job: TrialJob;
  mirrored?: boolean;
}

interface BarProps {
  turn: TrialTurn;
  mirrored?: boolean;
}

function Bar({ turn: { risk, score }, mirrored = false }: BarProps) {
  if (risk !== null)
    return (
      <RiskTrack
        risk={risk}
        mirrored={mirrored}
        className={classes('h-2.5', mirrored ? 'rounded-l-full' : 'rounded-r-full')}
      />
    );
  return (
    <div
      aria-hidden
      className={classes(
        'flex h-2.5 overflow-hidden bg-line',
        mirrored ? 'justify-end rounded-l-full' : 'rounded-r-full',
      )}
    >
      <span
        className={classes('transition-[width] duration-300 ease-out', grounds.implicit)}
        style={{ width: `${Math.round((score ?? 0) * 100)}%` }}
      />
    </div>
  );
}

/** The last turn of each seat that gave a score; of one that has not yet, the turn it is in. */
function listStandings({ job, turns }: Pick<TrialView, 'job' | 'turns'>): TrialTurn[] {
  const last = new Map<string, TrialTurn>();
  for (const turn of turns.values()) {
    const { part } = findSeatRole(job, turn.role);
    if (part === 'opening' || part === 'closing' || turn.seat === 'control') continue;
    if (turn.score !== null || !last.has(turn.seat)) last.set(turn.seat, turn);
  }
  return [...last.values()];
}
