import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useHotkeys } from '../../components/hotkeys.tsx';
import { Loading } from '../../components/page.tsx';
import { useIsNarrow, useTopOf } from '../../components/window-list.ts';
import { CaseItem } from './case-item.tsx';
import type { CaseListState } from './use-case-list.ts';

const rowHeight = { narrow: 108, wide: 76 };

/** So many rows before the end the next page is asked for. */
const ahead = 60;

/**
 * However many cases there are, only those on the screen are in the page. Arrows, j and k move through them; Enter
 * opens.
 */
export function CaseList({ cases }: { cases: CaseListState }) {
  const { rows, complete, error, more, fresh, show } = cases;
  const [active, setActive] = useState(0);
  const navigate = useNavigate();
  const open = useCallback((id: string) => void navigate({ to: '/cases/$id', params: { id } }), [navigate]);
  const list = useRef<HTMLUListElement>(null);
  const height = useIsNarrow() ? rowHeight.narrow : rowHeight.wide;
  const top = useTopOf(list);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.id,
    // Whoever is on a row keeps the focus on it when it is scrolled out of sight.
    rangeExtractor: (range) =>
      [...new Set([...(active < rows.length ? [active] : []), ...defaultRangeExtractor(range)])].sort(
        (one, other) => one - other,
      ),
  });
  useLayoutEffect(() => virtual.measure(), [virtual, height]);

  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (error === null && last >= rows.length - ahead) more();
  }, [last, rows.length, error, more]);

  // The row that gets the focus may come into the page only when it has been scrolled to.
  const wanted = useRef<string | null>(null);
  const focusWanted = () => {
    const link =
      wanted.current === null
        ? null
        : list.current?.querySelector<HTMLElement>(`[data-case="${CSS.escape(wanted.current)}"]`);
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  const move = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    wanted.current = rows[to]?.id ?? null;
    setActive(to);
    virtual.scrollToIndex(to, { align: 'auto' });
    focusWanted();
  };
  const isInside = () => list.current?.contains(document.activeElement) ?? false;
  useHotkeys({ j: () => move(isInside() ? active + 1 : active), k: () => move(isInside() ? active - 1 : active) });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: active + 10,
      PageUp: active - 10,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(to);
  };

  useShowAtTop(fresh.count > 0, top, show);
  const shownFresh = `${fresh.count}${fresh.orMore ? ' or more' : ''} new ${fresh.count === 1 ? 'case' : 'cases'}`;
  return (
    <div>
      <div aria-live="polite" className="pointer-events-none sticky top-16 z-10 flex h-0 justify-center lg:top-3">
        {fresh.count > 0 && (
          <Button
            icon={ArrowUp}
            variant="primary"
            size="small"
            className="pointer-events-auto shadow-lg"
            onClick={() => {
              show();
              setActive(0);
              scrollTo({ top: 0 });
            }}
          >
            {shownFresh}
          </Button>
        )}
      </div>
      <ul
        ref={list}
        role="list"
        aria-label="Cases"
        onKeyDown={onKeyDown}
        className="relative rounded-xl border bg-surface"
        style={{ height: virtual.getTotalSize() + 2 }}
      >
        {items.map(({ index, key, start, size }) => (
          <li
            key={key}
            aria-posinset={index + 1}
            aria-setsize={complete ? rows.length : -1}
            className="absolute inset-x-0 top-0 border-b [contain:strict] last:border-b-0"
            style={{ height: size, transform: `translateY(${start - top}px)` }}
          >
            <CaseItem row={rows[index]!} index={index} reachable={index === active} onFocus={setActive} onOpen={open} />
          </li>
        ))}
      </ul>
      {error === null && !complete && (
        <div className="pt-4">
          <Loading lines={3} what="Loading more cases" />
        </div>
      )}
    </div>
  );
}

/** Where nobody has scrolled, nothing jumps: what is new is shown at once. */
function useShowAtTop(isNew: boolean, top: number, show: () => void): void {
  useEffect(() => {
    if (isNew && scrollY <= Math.max(0, top - 200) && !document.activeElement?.closest('[data-case]')) show();
  });
}
