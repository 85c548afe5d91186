import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client, isServerUp } from '../api/client.ts';
import { queries } from '../api/queries.ts';

const firstMs = 1_000;
const mostMs = 15_000;

/** What happened on this server, for pages that list it: they are asked anew. */
const concerned: Record<string, readonly string[]> = {
  verdict: ['cases', 'overview', 'queue'],
  escalation: ['queue'],
  decision: ['cases', 'overview', 'queue'],
  overdue: ['queue'],
  'run-ended': ['runs', 'overview'],
  'alert-raised': ['watching'],
  'alert-ended': ['watching'],
};

/** Hears the server's news as long as the page is open, and says when it cannot. */
export function Connection() {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const leave = new AbortController();
    void (async () => {
      for (let wait = firstMs; !leave.signal.aborted; await new Promise((resolve) => setTimeout(resolve, wait))) {
        const there = await isServerUp(leave.signal);
        if (leave.signal.aborted) return;
        setLost(!there);
        wait = there ? firstMs : Math.min(2 * wait, mostMs);
        if (there) await hearNews(leave.signal);
      }
    })();
    return () => leave.abort();
  }, []);
  // What was missed meanwhile is asked for; a page that has just been opened has missed nothing.
  const wasLost = useRef(false);
  useEffect(() => {
    if (!lost && wasLost.current) void queries.invalidateQueries();
    wasLost.current = lost;
  }, [lost]);
  return (
    <div role="status">
      {lost && (
        <p className="flex items-center justify-center gap-2 bg-caution-ground px-4 py-2 text-caution">
          <WifiOff aria-hidden className="size-4" /> The server is not responding. The page continues as soon as it is
          back.
        </p>
      )}
    </div>
  );
}

/** Until the connection is lost, or the page is left. */
async function hearNews(signal: AbortSignal): Promise<void> {
  try {
    for await (const { type } of client.house.news({ signal, retries: 0 })) askAnew(concerned[type] ?? []);
  } catch {
    // Whether the server is still there is asked next.
  }
}

const gatherMs = 400;
const gathered = new Set<string>();

/** A run tells many verdicts a second: together they are one reason to ask. */
function askAnew(keys: readonly string[]): void {
  if (keys.length > 0 && gathered.size === 0) {
    setTimeout(() => {
      for (const key of gathered) void queries.invalidateQueries({ queryKey: [key] });
      gathered.clear();
    }, gatherMs);
  }
  for (const key of keys) gathered.add(key);
}
