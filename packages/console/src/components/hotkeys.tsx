import { useEffect, useEffectEvent } from 'react';
import { classes } from './tones.ts';

/** `s`, `?`, `Escape`, `mod+Enter` (Ctrl, or ⌘). */
export type Hotkeys = Record<string, (event: KeyboardEvent) => void>;

/** Keys of a page. Single letters are left to whoever types; `mod+…` and `Escape` work there too. */
export function useHotkeys(hotkeys: Hotkeys, active = true): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.altKey) return;
    const mod = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = mod ? `mod+${key}` : key;
    const typing =
      event.target instanceof HTMLElement &&
      (event.target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) &&
      !(event.target instanceof HTMLInputElement && /^(?:checkbox|radio|button)$/.test(event.target.type));
    if (typing && !mod && key !== 'Escape') return;
    // A button that has the focus is pressed by these itself.
    if (
      (key === 'Enter' || key === ' ') &&
      !mod &&
      event.target instanceof HTMLElement &&
      event.target.closest('button, a, summary')
    )
      return;
    const act = hotkeys[name];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent) => pressed(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [active]);
}

/** A key to press, shown beside what it does; not where there are no keys. */
export function KeyHint({ children }: { children: string }) {
  return (
    <kbd
      className={classes(
        'inline-grid min-w-6 pointer-coarse:hidden max-sm:hidden place-items-center rounded-md border',
        'border-b-2 bg-paper px-1.5 font-mono text-xs leading-5 text-quiet',
      )}
    >
      {children}
    </kbd>
  );
}
