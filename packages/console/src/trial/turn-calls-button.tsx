import { createContext, Suspense, use, type ComponentType } from 'react';
import type { SaidTurn } from './turn-calls.tsx';

/** The case that turns on a page belong to; null where it is not on record. */
export const CaseIdContext = createContext<string | null>(null);

export interface TurnCallsProps {
  id: string;
  turn: SaidTurn;
  title: string;
}

/** What opens it; null where a page is only read. */
export const TurnCallsContext = createContext<ComponentType<TurnCallsProps> | null>(null);

/** Opens what was really sent and said for a turn. */
export function TurnCallsButton({ turn, name }: { turn: SaidTurn; name: string }) {
  const id = use(CaseIdContext);
  const Opener = use(TurnCallsContext);
  if (Opener === null || id === null || turn.state !== 'said') return null;
  return (
    <Suspense>
      <Opener id={id} turn={turn} title={turn.round === null ? name : `${name}, round ${turn.round}`} />
    </Suspense>
  );
}
