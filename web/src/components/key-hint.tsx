/** A key to press, shown beside what it does; not where there are no keys. */
export function KeyHint({ children }: { children: string }) {
  return (
    <kbd className="inline-grid min-w-6 pointer-coarse:hidden max-sm:hidden place-items-center rounded-md border border-b-2 bg-paper px-1.5 font-mono text-xs leading-5 text-quiet">
      {children}
    </kbd>
  );
}
