import { memo } from 'react';
import { failureWords, seconds } from '../../../src/reports/words.ts';
import type { Job } from '../api/types.ts';
import { PlainText } from '../components/words.tsx';
import { readStance } from './stance.ts';
import type { TurnView } from './trial-view.ts';
import { partOf, seatOfRound } from './trial-words.ts';

/** Somebody who prepares the debate and takes no side: told in a few lines. */
export const OpeningTurn = memo(function OpeningTurn({ job, turn }: { job: Job; turn: TurnView }) {
  const { patterns } = readStance(turn);
  const name = seatOfRound(job, { seat: turn.seat, round: null });
  return (
    <article
      aria-label={turn.scope === null ? name : `${name}, ${turn.scope}`}
      aria-busy={turn.state === 'speaking'}
      data-turn={turn.key}
      className="grid gap-1 rounded-xl border bg-surface px-4 py-3 text-sm arrives"
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-quiet">
        <span>
          <strong className="font-medium text-ink">{name}</strong> · {partOf(job, turn.role)}
        </span>
        <span className="text-xs">
          <span className="font-mono">{turn.reasoner}</span>
          {turn.replayed ? ' · recalled' : turn.latencyMs !== null && ` · ${seconds(turn.latencyMs)}`}
        </span>
      </p>
      {turn.fallback && (
        <p className="text-caution">
          <strong>Stand-in.</strong> This seat was not heard: {failureWords(turn.fallback.reason)}.{' '}
          <span className="words">
            <PlainText text={turn.fallback.detail} />
          </span>
        </p>
      )}
      {turn.statement === '' ? (
        turn.state === 'speaking' && <p className="animate-pulse text-quiet">Thinking…</p>
      ) : (
        <p className="words">
          <PlainText text={turn.statement} />
        </p>
      )}
      {patterns.length > 0 && (
        <ul className="list-disc pl-5">
          {patterns.map((pattern, index) => (
            <li key={index} className="words">
              <PlainText text={pattern} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
});
