import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { CaseRecord } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/card.tsx';
import { LabelBadge } from '../../components/label-badge.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';

/** Replays and appeals, and what came of them. */
export function Retrials({ record: { retrials, label } }: { record: CaseRecord }) {
  return (
    <Section
      title="Replays and appeals"
      lead="The same case held again: with one thing changed, or heard anew before other seats."
    >
      {retrials.length === 0 ? (
        <p className="text-quiet">It was not held again.</p>
      ) : (
        <Table label="Replays and appeals" head={['How', 'What came of it', 'Verdict', 'Heard by', 'When']}>
          {retrials.map((retrial) => (
            <tr key={retrial.id}>
              <Cell>
                <Link to="/cases/$id" params={{ id: retrial.id }} className="text-link underline">
                  {retrial.again?.how === 'appeal' ? 'Appeal' : 'Replay'}
                </Link>
              </Cell>
              <Cell>
                <span className="inline-flex items-center gap-2">
                  <LabelBadge label={label} />
                  <ArrowRight aria-label="became" className="size-4 text-quiet" />
                  <LabelBadge label={retrial.label} />
                </span>
              </Cell>
              <Cell>
                {retrial.label !== null &&
                  (retrial.label === label ? <Badge>Stands</Badge> : <Badge tone="caution">Flipped</Badge>)}
              </Cell>
              <Cell className="min-w-40 font-mono text-sm">{retrial.models.join(', ')}</Cell>
              <Cell className="text-sm text-quiet">
                <When moment={retrial.openedAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
