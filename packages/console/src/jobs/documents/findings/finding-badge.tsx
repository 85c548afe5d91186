import { CircleX } from 'lucide-react';
import { nameVerdict } from '@agonhq/documents/findings/arrange-findings';
import { Badge, LabelBadge } from '../../../components/badge.tsx';

/** The verdict on a claim, or that numbers are in conflict. */
export function FindingBadge({ verdict }: { verdict: string }) {
  if (verdict !== 'conflict') return <LabelBadge label={verdict} />;
  return (
    <Badge tone="risk" icon={CircleX} className="whitespace-nowrap">
      {nameVerdict(verdict)}
    </Badge>
  );
}
