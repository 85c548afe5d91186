import type { ReactNode } from 'react';

/** Names and their values. Null values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-x-6 gap-y-3">
      {facts
        .filter((fact) => fact !== null && fact[1] !== null && fact[1] !== undefined)
        .map((fact) => (
          <div key={fact![0]} className="min-w-0">
            <dt className="text-sm text-quiet">{fact![0]}</dt>
            <dd className="words">{fact![1]}</dd>
          </div>
        ))}
    </dl>
  );
}
