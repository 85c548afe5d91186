import { useMemo } from 'react';
import { classes } from '../class-names.ts';
import { formatScore } from '../components/score.tsx';
import type { TrialView, TurnView } from './trial-view.ts';
import { seatName } from './trial-words.ts';

const fills: Record<string, string> = {
  'strict-debater': 'bg-risk',
  'loose-debater': 'bg-exoneration',
  auditor: 'bg-risk',
  detector: 'bg-implicit',
  critic: 'bg-both',
};

/** How much risk each side sees at this moment: two bars that meet in the middle and move with the debate. */
export function SideScores({ view }: { view: Pick<TrialView, 'job' | 'turns'> }) {
  const standings = useMemo(() => listStandings(view.turns), [view.turns]);
  const [strict, loose] = [
    standings.find(({ role }) => role === 'strict-debater'),
    standings.find(({ role }) => role === 'loose-debater'),
  ];
  if (standings.length === 0) return null;
  if (view.job !== 'moderation' || !strict || !loose) {
    return (
      <ul aria-label="How much risk each seat sees" className="grid gap-2">
        {standings.map((turn) => (
          <li key={turn.seat} className="grid grid-cols-[7rem_1fr_2.5rem] items-center gap-3 text-sm">
            <span className="truncate">{seatName(turn.seat)}</span>
            <Bar turn={turn} />
            <span className="text-right tabular-nums">{turn.score === null ? '–' : formatScore(turn.score)}</span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div role="group" aria-label="How much risk each side sees" className="grid grid-cols-2 gap-x-1 gap-y-1.5">
      <p className="flex items-baseline justify-between gap-2 pr-2 font-medium">
        <span>Strict</span>{' '}
        <span className="text-xl tabular-nums text-risk">
          {strict.score === null ? '–' : formatScore(strict.score)}
        </span>
      </p>
      <p className="flex items-baseline justify-between gap-2 pl-2 font-medium">
        <span className="text-xl tabular-nums text-exoneration">
          {loose.score === null ? '–' : formatScore(loose.score)}
        </span>{' '}
        <span>Loose</span>
      </p>
      <Bar turn={strict} mirrored />
      <Bar turn={loose} />
    </div>
  );
}

function Bar({ turn: { role, score }, mirrored = false }: { turn: TurnView; mirrored?: boolean }) {
  return (
    <div
      aria-hidden
      className={classes(
        'flex h-2.5 overflow-hidden bg-line',
        mirrored ? 'justify-end rounded-l-full' : 'rounded-r-full',
      )}
    >
      <span
        className={classes('transition-[width] duration-300 ease-out', fills[role] ?? 'bg-link')}
        style={{ width: `${Math.round((score ?? 0) * 100)}%` }}
      />
    </div>
  );
}

/** The last turn of each seat that gave a score; of one that has not yet, the turn it is in. */
function listStandings(turns: TrialView['turns']): TurnView[] {
  const last = new Map<string, TurnView>();
  for (const turn of turns.values()) {
    if (turn.role === 'supporter' || turn.role === 'preprocessor' || turn.role === 'arbiter' || turn.seat === 'control')
      continue;
    if (turn.score !== null || !last.has(turn.seat)) last.set(turn.seat, turn);
  }
  return [...last.values()];
}
