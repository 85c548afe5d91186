import { formatScore, type ShownDistribution } from '@agonhq/engine/view';
import type { EvaluationRound } from '@agonhq/judges/evaluation/view';
import { Cell, Table } from '../../components/table.tsx';

interface EquationsProps {
  rounds: readonly EvaluationRound[];
  /** From which divergence on the sides see different cases. */
  delta: number;
}

/** What code computed after each round: how equation 5 fuses what was stated, what equation 6 makes of the priors. */
export function RoundEquations({ rounds, delta }: EquationsProps) {
  return rounds.map(({ title, mixing, priors }) => {
    if (!mixing) return null;
    const { reference, alpha, mixture, divergence, breach } = mixing;
    const rows: [name: string, distribution: ShownDistribution | null][] = [
      [`P̂, ${describeReference(reference?.from)}`, reference?.distribution ?? null],
      ['Fused (equation 5)', mixture],
      ...priors.map(([name, prior]): (typeof rows)[number] => [`Prior of ${name} (equation 6)`, prior]),
    ];
    return (
      <div key={title} className="grid gap-1">
        <Table label={`${title}, computed`} head={[title, 'Explicit', 'Implicit', 'None']}>
          {rows.map(([name, distribution]) => (
            <tr key={name} className="text-sm">
              <Cell>{name}</Cell>
              {(['explicit', 'implicit', 'none'] as const).map((concept) => (
                <Cell key={concept} className="tabular-nums">
                  {distribution ? formatScore(distribution[concept]) : '–'}
                </Cell>
              ))}
            </tr>
          ))}
        </Table>
        <p className="text-sm text-quiet">
          {alpha !== null &&
            `α = ${formatScore(alpha)} for the auditors, ${formatScore(1 - alpha)} for the detectors. `}
          {divergence === null
            ? 'No divergence: one side gave no answer.'
            : `KL(auditor ‖ detector) = ${formatScore(divergence)}, ${breach ? 'at or above' : 'below'} δ = ${delta}.`}
        </p>
      </div>
    );
  });
}

function describeReference(from: string | undefined): string {
  if (from === undefined) return 'none';
  return from === 'critic' ? 'the critic’s' : from;
}
