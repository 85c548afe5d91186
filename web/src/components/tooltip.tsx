import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={300}>{children}</Radix.Provider>;
}

/** Words about a thing that can be focussed. Never the only place where something is said. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content sideOffset={6} className="z-50 max-w-xs rounded-lg bg-ink px-3 py-1.5 text-sm text-paper shadow-lg">{words}</Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
