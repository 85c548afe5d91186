import type { ResultTurn } from '@agonhq/bench/result';
import type { BenchItem } from '../api/client.ts';
import { Score } from './bars.tsx';
import { Paragraph, PlainText } from './text.tsx';
import { classes } from './tones.ts';

interface SystemOutcomeProps {
  outcome: BenchItem['outcomes'][number];
}

/** What a system said of an item, and how it came to it. */
export function SystemOutcome({ outcome: { system, said, score, rule, problem, turns } }: SystemOutcomeProps) {
  return (
    <section className="grid gap-2 border-t pt-3">
      <h3 className="flex flex-wrap items-center gap-x-4 gap-y-1 font-medium">
        {system}{' '}
        <span className="text-sm font-normal text-quiet">
          said {said}
          {rule && ` by ${rule}`}
        </span>{' '}
        {score !== null && score >= 0 && score <= 1 && <Score value={score} />}
      </h3>
      {problem && <p className="words text-risk">{problem}</p>}
      {turns.length === 0 && !problem && <p className="text-sm text-quiet">No turns.</p>}
      <OutcomeTurns turns={turns} />
    </section>
  );
}

/** What was said of an item, turn by turn. */
export function OutcomeTurns({ turns }: { turns: readonly ResultTurn[] }) {
  return (
    <ol className="grid gap-2">
      {turns.map(({ key, seat, round, statement, score: own, label, quotes, fallback }) => (
        <li key={key} className="rounded-lg border bg-surface p-3">
          <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
            <span className="font-medium text-ink">{seat.replaceAll('-', ' ')}</span>
            {round !== null && <span>round {round}</span>}
            {own !== null && <span className="tabular-nums">score {own.toFixed(2)}</span>}
            {label && <span className="words">{label}</span>}
            {fallback && <span className="text-caution">no answer: {fallback}</span>}
          </p>
          <Paragraph text={statement} />
          {quotes.length > 0 && (
            <ul className="mt-1 grid gap-0.5 text-sm">
              {quotes.map(({ text, verified }, number) => (
                <li
                  key={number}
                  className={classes(
                    'words border-l-2 pl-2',
                    verified ? 'border-exoneration' : 'border-risk text-quiet line-through',
                  )}
                >
                  <q>
                    <PlainText text={text} />
                  </q>
                  {!verified && <span className="sr-only"> (not in the source)</span>}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
