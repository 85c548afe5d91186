import type { Client, EventStream } from '@agonhq/server/client';

/* An analysis under way: the events of its stream, folded into what is shown. */

export type SentAnalysisEvent =
  ReturnType<Client['cases']['events']> extends EventStream<infer Event, unknown> ? Event : never;

export interface LiveClaim {
  id: string;
  text: string;
  /** The steps of its debate that have been heard, in their order. */
  heard: readonly string[];
  /** What was said last. */
  statement: string;
  label: string | null;
  confidence: number | null;
  rule: string | null;
}

export interface LiveAnalysis {
  /** The case, once the files were read. */
  id: string | null;
  documents: readonly { name: string; kind: string; blocks: number }[];
  numbers: number;
  /** Null until they were drawn out of the dossier. */
  claims: readonly LiveClaim[] | null;
  /** Every claim has its verdict, and the outlook is being written. */
  state: 'reading' | 'finding-claims' | 'debating' | 'writing' | 'done' | 'stopped' | 'failed';
  error: unknown;
}

export const nothingYet: LiveAnalysis = {
  id: null,
  documents: [],
  numbers: 0,
  claims: null,
  state: 'reading',
  error: null,
};

export function isRunning({ state }: LiveAnalysis): boolean {
  return state !== 'done' && state !== 'stopped' && state !== 'failed';
}

export function foldEvent(live: LiveAnalysis, event: SentAnalysisEvent): LiveAnalysis {
  if (event.type === 'dossier-ready')
    return { ...live, id: event.debate, documents: event.documents, numbers: event.numbers, state: 'finding-claims' };
  if (event.type === 'claims-ready') {
    const claims = event.claims.map(({ id, text }): LiveClaim => ({
      id,
      text,
      heard: [],
      statement: '',
      label: null,
      confidence: null,
      rule: null,
    }));
    return { ...live, claims, state: claims.length === 0 ? 'writing' : 'debating' };
  }
  if (event.type === 'turn-end') {
    return changeClaim(live, event.scope, (claim) => ({
      ...claim,
      heard: [...claim.heard, event.key.slice(event.key.lastIndexOf('/') + 1)],
      statement: event.turn.statement || claim.statement,
    }));
  }
  if (event.type === 'claim-end') {
    const { label, confidence = null, rule } = event.answer.verdict;
    const after = changeClaim(live, event.scope, (claim) => ({ ...claim, label, confidence, rule: rule.id }));
    return after.claims?.every((claim) => claim.label !== null) ? { ...after, state: 'writing' } : after;
  }
  return event.type === 'answer' ? { ...live, state: 'done' } : live;
}

function changeClaim(live: LiveAnalysis, scope: string | null, change: (claim: LiveClaim) => LiveClaim): LiveAnalysis {
  return { ...live, claims: live.claims && live.claims.map((claim) => (claim.id === scope ? change(claim) : claim)) };
}
