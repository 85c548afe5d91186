import type { SentPrecedent } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Card } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import type { ColourTone } from '../../components/tones.ts';
import { When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { EditPrecedent, RetirePrecedent } from './precedent-dialogs.tsx';

const stateLooks: Record<SentPrecedent['state'], { words: string; tone: ColourTone }> = {
  active: { words: 'In force', tone: 'quiet' },
  proposed: { words: 'Proposed', tone: 'implicit' },
  retired: { words: 'Retired', tone: 'caution' },
  overruled: { words: 'Overruled', tone: 'caution' },
};

const origins: Record<string, string> = {
  seed: 'Shipped with Agon',
  learnt: 'Learnt from a mistake',
  imported: 'Written by a person',
};

interface PrecedentCardProps {
  precedent: SentPrecedent;
  open?: boolean;
  similarity?: number;
  children?: React.ReactNode;
}

/** One decided case: what it says at a glance, everything else when it is opened. */
export function PrecedentCard({ precedent, open = false, similarity, children }: PrecedentCardProps) {
  const { id, label, clause, summary, cues, state, provenance, confirmedBy, overruledBy, expiresAt } = precedent;
  const mayReview = useMay('review');
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <LabelBadge label={label} />
        {clause && <Badge>{clause}</Badge>}
        {state !== 'active' && <Badge tone={stateLooks[state].tone}>{stateLooks[state].words}</Badge>}
        {similarity !== undefined && <span className="text-sm text-quiet">similarity {similarity.toFixed(2)}</span>}
        <code className="ms-auto font-mono text-sm text-quiet">{id}</code>
      </div>
      <p className="words text-lg">{summary}</p>
      {cues.length > 0 && (
        <ul aria-label="Cues" className="flex flex-wrap gap-1.5">
          {cues.map((cue) => (
            <li key={cue}>
              <Badge>{cue}</Badge>
            </li>
          ))}
        </ul>
      )}
      {children}
      <details open={open} className="group">
        <summary className="w-fit text-link">Case and reason</summary>
        <div className="mt-3 grid gap-4">
          <blockquote className="words border-s-4 ps-4">{precedent.text}</blockquote>
          <p className="words">
            <span className="text-quiet">Why: </span>
            {precedent.why}
          </p>
          <Facts
            facts={[
              ['Category', precedent.category],
              ['Origin', origins[provenance.kind] ?? provenance.kind],
              ['Confirmed by', confirmedBy],
              ['Since', <When key="since" moment={precedent.createdAt} />],
              expiresAt ? ['Until', <When key="until" moment={expiresAt} exact />] : null,
              overruledBy ? ['Overruled by', overruledBy] : null,
            ]}
          />
          {mayReview && (state === 'active' || state === 'proposed') && (
            <div className="flex flex-wrap gap-2">
              <EditPrecedent precedent={precedent} />
              {state === 'active' && <RetirePrecedent precedent={precedent} />}
            </div>
          )}
        </div>
      </details>
    </Card>
  );
}
