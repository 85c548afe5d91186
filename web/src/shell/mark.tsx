/** Scales: two sides and a judge. */
export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-link" />
      <path
        d="M16 7v18M10 25h12M7 12h18M7 12l-3 7h6zM25 12l-3 7h6z"
        fill="none"
        className="stroke-surface"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
