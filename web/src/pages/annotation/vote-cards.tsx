import type { AnnotationItem } from '../../api/types.ts';
import { LabelBadge } from '../../components/label-badge.tsx';
import { When } from '../../components/when.tsx';
import { PlainText } from '../../components/words.tsx';

/** What everybody said, side by side. */
export function VoteCards({ votes }: { votes: NonNullable<AnnotationItem['votes']> }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{countVotes(votes.map(({ label }) => label))}</h3>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2">
        {votes.map(({ by, label, why, at }) => (
          <li
            key={by}
            className="grid content-start justify-items-start gap-1.5 rounded-lg border bg-paper p-3 text-sm"
          >
            <span className="words font-medium">
              <PlainText text={by} />
            </span>
            <LabelBadge label={label} />
            {why ? (
              <span className="words">
                <PlainText text={why} />
              </span>
            ) : (
              <span className="text-quiet">No reason given</span>
            )}
            <span className="text-quiet">
              <When moment={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `2 unsafe, 1 safe`. */
function countVotes(labels: readonly string[]): string {
  return [...Map.groupBy(labels, (label) => label)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([label, given]) => `${given.length} ${label}`)
    .join(', ');
}
