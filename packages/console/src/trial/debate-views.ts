import { lazy } from 'react';
import { describeLabel } from '@agonhq/engine/view';
import { showScore } from '../components/bars.tsx';
import type { JobViews } from '../jobs/console-job.ts';
import type { TrialView } from './trial-view.ts';

const load = () => import('./debate-parts.tsx');

/** How a debate is shown, whatever it is about. Loaded when the first trial is. */
export const debateViews: JobViews = {
  load,
  Subject: lazy(async () => ({ default: (await load()).Subject })),
  Outcome: lazy(async () => ({ default: (await load()).Outcome })),
  Proceedings: lazy(async () => ({ default: (await load()).Proceedings })),
  describeProgress,
  describeLatest,
};

function describeProgress({ job, turns, sources, recordings }: TrialView): string {
  const speaking = [...turns.values()].filter(({ state }) => state === 'speaking');
  const isHeard = recordings.every(({ id }) => sources.some(({ of }) => of === id || of?.startsWith(`${id}/`)));
  if (speaking.length === 0 && !isHeard) return 'Watching and listening';
  if (speaking.length === 0)
    return sources.length === 0 ? 'Preparing' : turns.size === 0 ? 'Opening the debate' : 'Deciding';
  const seats = speaking.map(({ seat }) => job.terms.describeSeat({ seat, round: null }));
  const { round } = speaking[0]!;
  return `${new Intl.ListFormat('en').format(seats)}${round === null ? '' : `, round ${round}`}`;
}

function describeLatest({ job, turns, verdict }: TrialView): string {
  if (verdict !== null)
    return `Verdict: ${describeLabel(verdict.label).title}. Decided by ${job.terms.describeRule(verdict.rule.id)}.`;
  const last = [...turns.values()].findLast((turn) => turn.state === 'said');
  if (last === undefined) return 'The debate has started.';
  const score = last.risk ? `: risk ${last.risk.text}` : last.score === null ? '' : `: score ${showScore(last.score)}`;
  return `${job.terms.describeSeat(last)} finished${score}.`;
}
