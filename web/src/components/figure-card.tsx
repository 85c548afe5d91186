import type { ReactNode } from 'react';

/** A figure with its name, what it amounts to in a word, and what it is made of; within a `dl`. */
export function FigureCard({
  name,
  value,
  word,
  children,
}: {
  name: string;
  value: string;
  word?: string;
  children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-0.5 rounded-xl border bg-surface px-4 py-3">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl tabular-nums">
        {value} {word && <span className="text-base text-quiet">{word}</span>}
      </dd>
      <dd className="text-sm text-quiet">{children}</dd>
    </div>
  );
}
