import type { CaseRecord } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, Section } from '../../components/card.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { When } from '../../components/when.tsx';
import { PlainText } from '../../components/words.tsx';
import { useMay } from '../../session/self.ts';
import { Feedback } from './feedback.tsx';

/** What people said the right verdict was, the latest first; and a way to say so. */
export function Decisions({ record }: { record: CaseRecord }) {
  const mayReview = useMay('review');
  const decisions = record.decisions.toSorted((one, other) => other.at.localeCompare(one.at));
  return (
    <Section
      title="Decisions of people"
      lead="Never changed: a later decision stands over an earlier one. The curator learns from them."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {decisions.length === 0 ? (
          <p className="text-quiet">Nobody has decided this case.</p>
        ) : (
          <ol className="grid gap-3">
            {decisions.map(({ id, label, why, clause, by, at, learntAt }, index) => (
              <li key={id}>
                <Card className="grid gap-2">
                  <div className="flex flex-wrap items-center gap-2">
                    <LabelBadge label={label} />
                    <span>
                      <b className="font-medium">{by}</b>, <When moment={at} />
                    </span>
                    <span className="ml-auto flex gap-2">
                      {index === 0 && decisions.length > 1 && <Badge>Stands</Badge>}
                      {learntAt !== null && <Badge tone="implicit">Learnt from</Badge>}
                    </span>
                  </div>
                  {why !== null && (
                    <p className="words">
                      <PlainText text={why} />
                    </p>
                  )}
                  {clause !== null && <p className="font-mono text-sm text-quiet">{clause}</p>}
                </Card>
              </li>
            ))}
          </ol>
        )}
        {mayReview && record.forgottenAt === null && <Feedback record={record} />}
      </div>
    </Section>
  );
}
