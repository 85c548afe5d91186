import type { CitedCheck } from '@agonhq/documents/trace';
import { EmptyState } from '../../../components/page.tsx';
import type { Going } from '../analysis-types.ts';
import { NumberCheck } from './number-check.tsx';

export interface ListedCheck {
  check: CitedCheck;
  claims: readonly number[];
}

interface NumbersProps extends Going {
  checks: readonly ListedCheck[];
  total: number;
  onClaim: (number: number) => void;
}

export function NumbersList({ checks, total, onClaim, ...going }: NumbersProps) {
  if (checks.length === 0)
    return (
      <EmptyState title="No numbers could be checked">
        Numbers are compared where a dossier states the same thing twice: a total and its parts, a growth rate and its
        two values, a sentence and a table.
      </EmptyState>
    );
  return (
    <div className="grid gap-3">
      {checks.map(({ check, claims }, index) => (
        <NumberCheck key={index} check={check} {...going}>
          <AffectedClaims claims={claims} onClaim={onClaim} />
        </NumberCheck>
      ))}
      {total > checks.length && <p className="text-sm text-quiet">{total - checks.length} more are in the exports.</p>}
    </div>
  );
}

/** Leads to the claims that a check affects. */
export function AffectedClaims({ claims, onClaim }: Pick<ListedCheck, 'claims'> & Partial<NumbersProps>) {
  if (claims.length === 0) return null;
  const look = 'text-link underline';
  return (
    <p className="flex flex-wrap gap-x-2 text-sm text-quiet">
      Affects{' '}
      {claims.map((number) =>
        onClaim ? (
          <button key={number} type="button" className={look} onClick={() => onClaim(number)}>
            claim {number}
          </button>
        ) : (
          <a key={number} href={`#claim-${number}`} className={look}>
            claim {number}
          </a>
        ),
      )}
    </p>
  );
}
