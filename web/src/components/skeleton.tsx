/** The place of what is still coming, as large as it will be. */
export function Skeleton({ className = 'h-5 w-full' }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-md bg-line ${className}`} />;
}

/** Several lines of it, said once to those who listen. */
export function Loading({ lines = 4, what = 'Loading' }: { lines?: number; what?: string }) {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{what}…</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={`h-5 ${line % 3 === 2 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  );
}
