import { client, type BenchReport } from '../../api/client.ts';
import { formatCost } from '../../charts/format-figures.ts';
import { ProgressBar } from '../../components/bars.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { useMay } from '../../session/session.ts';
import { useAction } from '../../components/use-action.ts';

/** How far each system of a bench is while it is measured. */
export function BenchProgress({ progress }: { progress: NonNullable<BenchReport['progress']> }) {
  const { waiting, costUsd, systems } = progress;
  return (
    <Card className="grid gap-4">
      <p className="text-sm text-quiet">
        {waiting ? 'Waits until the bench before it has ended.' : `Spent so far: ${formatCost(costUsd)}.`}
      </p>
      <ul aria-label="Progress by system" className="grid gap-4 sm:grid-cols-2">
        {systems.map(({ name, judged, failed, total }) => (
          <li key={name} className="grid content-start gap-1">
            <span className="words font-medium">{name}</span>
            <ProgressBar
              label={`Progress of ${name}`}
              parts={[
                { name: 'judged', count: judged, tone: 'exoneration' },
                ...(failed > 0 ? [{ name: 'failed', count: failed, tone: 'risk' as const }] : []),
              ]}
              left={{ name: 'remaining', count: Math.max(0, total - judged - failed) }}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Stops a bench that is measured here, or goes on with one. */
export function BenchActions({ bench: { id, live, resumable } }: { bench: BenchReport }) {
  const mayJudge = useMay('judge');
  const change = useAction({
    act: (how: 'cancel' | 'resume') => client.benches[how](id),
    changes: 'benches',
    says: (_, how) => (how === 'cancel' ? 'The bench was stopped.' : 'The bench continues.'),
  });
  if (!mayJudge || (!live && !resumable)) return null;
  return (
    <Button busy={change.isPending} onClick={() => change.mutate(live ? 'cancel' : 'resume')}>
      {live ? 'Stop' : 'Resume'}
    </Button>
  );
}
