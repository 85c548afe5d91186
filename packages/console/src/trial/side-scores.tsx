import { useMemo } from 'react';
import { findRiskTone, showScore, RiskTrack } from '../components/bars.tsx';
import { classes, grounds, texts } from '../components/tones.ts';
import type { ConsoleJob } from '../jobs/console-job.ts';
import { findSeatRole, type TrialView, type TrialTurn } from './trial-view.ts';

/** How much risk each side sees at this moment: two bars that meet in the middle and move with the debate. */
export function SideScores({ view }: { view: Pick<TrialView, 'job' | 'turns'> }) {
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
  job: ConsoleJob;
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
