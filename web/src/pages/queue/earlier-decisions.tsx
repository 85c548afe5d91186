import type { QueueItem } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Card } from '../../components/card.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { When } from '../../components/when.tsx';
import { PlainText } from '../../components/words.tsx';

/** What the two said who disagree: in a dispute only. */
export function EarlierDecisions({ earlier }: Pick<QueueItem, 'earlier'>) {
  if (earlier.length === 0) return null;
  return (
    <section aria-label="What the reviewers said" className="grid gap-3">
      <h2 className="text-xl">What the reviewers said</h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {earlier.map(({ by, label, why, clause, at }) => (
          <li key={`${by} ${at}`}>
            <Card className="grid h-full content-start gap-2">
              <p className="flex flex-wrap items-center justify-between gap-2">
                <strong className="words font-medium">
                  <PlainText text={by} />
                </strong>{' '}
                <LabelBadge label={label} />
              </p>
              {why && (
                <p className="words">
                  <PlainText text={why} />
                </p>
              )}
              <p className="flex flex-wrap items-center gap-2 text-sm text-quiet">
                {clause && (
                  <Badge>
                    <span className="font-mono">{clause}</span>
                  </Badge>
                )}{' '}
                <When moment={at} />
              </p>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}
