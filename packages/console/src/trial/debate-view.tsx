import { memo, useMemo } from 'react';
import { classes } from '../components/tones.ts';
import type { TrialJob } from '../jobs/console-job.ts';
import { findSeatRole, type TrialView, type TrialTurn } from './trial-view.ts';
import { OpeningTurn, TurnCard } from './turn-card.tsx';
import { CaseIdContext } from './turn-calls-button.tsx';

/** Both sides face to face, round by round; whoever briefs them before, whoever weighs them after. */
export function DebateView({ view }: { view: TrialView }) {
  const { opening, rounds, closing } = useMemo(() => arrangeTurns(view), [view]);
  const before = useMemo(() => listPreviousTurns(view), [view]);
  const closingTitle = closing
    ? `The ${view.job.terms.describeSeat({ seat: closing.seat, round: null }).toLowerCase()}`
    : '';
  return (
    <CaseIdContext value={view.id ?? view.answer?.id ?? null}>
      <div className="grid gap-5" data-live={view.state === 'live' || undefined}>
        {opening.length > 0 && (
          <ul aria-label="Before the debate" className="grid gap-2">
            {opening.map((turn) => (
              <li key={turn.key}>
                <OpeningTurn job={view.job} turn={turn} />
              </li>
            ))}
          </ul>
        )}
        {rounds.map((round) => (
          <Round
            key={round.round}
            job={view.job}
            round={round}
            before={before}
            live={view.state === 'live'}
            many={rounds.length > manyRounds}
          />
        ))}
        {view.state === 'ended' && hasRunOut(rounds) && (
          <p className="text-center text-sm text-quiet">All {rounds.length} rounds were argued.</p>
        )}
        {closing && (
          <section aria-label={closingTitle} className="grid gap-3">
            <Divider>{closingTitle}</Divider>
            <TurnCard job={view.job} turn={closing} />
          </section>
        )}
      </div>
    </CaseIdContext>
  );
}

interface RoundProps {
  job: TrialJob;
  round: TrialRound;
  before: ReadonlyMap<string, TrialTurn>;
  live: boolean;
  /** What is far below is laid out when somebody comes there. */
  many: boolean;
}

const manyRounds = 6;

function Round({ job, round: { round, turns, stop }, before, live, many }: RoundProps) {
  const partOf = ({ role }: TrialTurn) => findSeatRole(job, role).part;
  const sides = (['left', 'right'] as const).map((part) => turns.filter((turn) => partOf(turn) === part));
  const others = turns.filter((turn) => partOf(turn) !== 'left' && partOf(turn) !== 'right');
  const faced = sides.some((side) => side.length > 0);
  const title = round === null ? 'Votes' : `Round ${round}`;
  const card = (turn: TrialTurn) => <TurnCard key={turn.key} job={job} turn={turn} before={before.get(turn.key)} />;
  return (
    <section
      aria-label={title}
      className={classes('grid gap-3', many && '[contain-intrinsic-size:auto_20rem] [content-visibility:auto]')}
    >
      <Divider>{title}</Divider>
      {faced && (
        <div
          className={
            faced && sides.every((side) => side.length > 0 || live)
              ? 'grid items-stretch gap-3 md:grid-cols-2'
              : 'grid gap-3'
          }
        >
          {sides.map((side, index) =>
            side.length > 0 ? (
              <div key={index} className="grid content-stretch gap-3">
                {side.map(card)}
              </div>
            ) : (
              live && <Listens key={index} />
            ),
          )}
        </div>
      )}
      {others.length > 0 && (
        <div className={!faced && others.length > 1 ? 'grid gap-3 md:grid-cols-2' : 'grid gap-3'}>
          {others.map(card)}
        </div>
      )}
      {stop !== null && <p className="text-center text-sm text-quiet">{job.terms.describeStop(stop)}</p>}
    </section>
  );
}

const Divider = memo(function Divider({ children }: { children: string }) {
  return (
    <h3
      className={classes(
        'flex items-center gap-3 font-serif text-lg text-quiet before:h-px before:flex-1 before:bg-line',
        'after:h-px after:flex-1 after:bg-line',
      )}
    >
      {children}
    </h3>
  );
});

function Listens() {
  return (
    <div className="hidden min-h-24 place-items-center rounded-xl border border-dashed text-sm text-quiet md:grid">
      Waiting{' '}
    </div>
  );
}

/** One round: those who argue first, whoever judges them below. */
interface TrialRound {
  /** Null for votes that are not taken in rounds. */
  round: number | null;
  turns: readonly TrialTurn[];
  stop: string | null;
}

interface TrialParts {
  opening: readonly TrialTurn[];
  rounds: readonly TrialRound[];
  closing: TrialTurn | undefined;
}

const hasRunOut = (rounds: readonly TrialRound[]) =>
  rounds.length > 1 && rounds.every(({ round, stop }) => round !== null && stop === null);

/** The turns of a trial where they belong. */
export function arrangeTurns({ job, turns, stops }: Pick<TrialView, 'job' | 'turns' | 'stops'>): TrialParts {
  const opening: TrialTurn[] = [];
  const rounds = new Map<number | null, TrialTurn[]>();
  let closing: TrialTurn | undefined;
  for (const turn of turns.values()) {
    const { part } = findSeatRole(job, turn.role);
    if (part === 'opening') opening.push(turn);
    else if (part === 'closing') closing = turn;
    else {
      // The control votes again and again: nobody answers anybody, so its votes are one round.
      const round = turn.seat === 'control' ? null : turn.round;
      const spoken = rounds.get(round);
      if (spoken) spoken.push(turn);
      else rounds.set(round, [turn]);
    }
  }
  const ordered = [...rounds].toSorted(([one], [other]) => (one ?? 0) - (other ?? 0));
  return {
    opening,
    rounds: ordered.map(([round, spoken]) => ({
      round,
      turns: spoken,
      stop: round === null ? ([...stops.values()][0] ?? null) : (stops.get(round) ?? null),
    })),
    closing,
  };
}

/** What each seat said a round before, where it was heard. */
export function listPreviousTurns({ turns }: Pick<TrialView, 'turns'>): ReadonlyMap<string, TrialTurn> {
  const last = new Map<string, TrialTurn>();
  const before = new Map<string, TrialTurn>();
  for (const turn of turns.values()) {
    const previous = last.get(turn.seat);
    if (previous && turn.round !== null && turn.seat !== 'control') before.set(turn.key, previous);
    if (turn.state === 'said' && turn.fallback === null) last.set(turn.seat, turn);
  }
  return before;
}
