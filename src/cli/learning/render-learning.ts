import type { Approved, Audit, LearnReport, TakenCase } from '../../learning/index.ts';
import { formatCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';

const outcomes: Record<TakenCase['outcome'], string> = {
  learnt: 'learnt',
  proposed: 'proposed, waiting for approval',
  'set-aside': 'set aside for review',
  duplicate: 'similar to an existing one',
  known: 'already known',
  refused: 'refused',
  forgotten: 'forgotten, so nothing to learn',
  'to-ask': 'to be studied',
};

/** What was learnt. */
export function renderLearning({ cases, dryRun, mode, curator, usage, stopped }: LearnReport): string[] {
  if (cases.length === 0)
    return [
      mode === 'all'
        ? 'Nothing to learn: there are no new decided cases.'
        : 'Nothing to learn: there are no new wrong verdicts on record.',
    ];
  const counts = [...Map.groupBy(cases, ({ outcome }) => outcome)].map(
    ([outcome, members]) => `${members.length} ${outcomes[outcome]}`,
  );
  const cost = usage.costUsd === null ? `${usage.calls} calls, price unknown` : `$${usage.costUsd.toFixed(4)}`;
  return [
    ...cases.flatMap(renderTakenCase),
    `${formatCount(cases.length, 'case')} studied by ${sanitize(curator)}: ${counts.join(', ')} · ${cost}` +
      (dryRun ? ' · dry run, nothing was written' : ''),
    ...(stopped === null ? [] : [style('yellow', stopped)]),
  ];
}

function renderTakenCase({
  case: id,
  verdict,
  truth,
  outcome,
  why,
  of,
  against,
  lesson,
  precedent,
}: TakenCase): string[] {
  const detail =
    why ??
    (of === undefined ? undefined : `duplicates ${of}`) ??
    (against === undefined ? undefined : `contradicts ${against.join(', ')}`);
  const isNew = outcome === 'learnt' || outcome === 'proposed' || outcome === 'set-aside';
  return [
    `${style('cyan', sanitize(id))} was ${verdict}, is ${truth}: ${outcomes[outcome]}` +
      (isNew && precedent ? ` as ${sanitize(precedent.id)}` : '') +
      (detail === undefined ? '' : ` (${sanitize(detail)})`),
    ...(isNew && lesson ? [style('dim', `  ${sanitize(describeLesson(lesson))}`)] : []),
  ];
}

function describeLesson({ turn, fault, what, cues }: NonNullable<TakenCase['lesson']>): string {
  return `${turn === '' ? '' : `${turn} ${fault} ${what}. `}Look for: ${cues.join('; ')}`;
}

export function renderApproval({ approved, overruled, waiting }: Approved, rejected: readonly string[]): string[] {
  const lines = [
    ...approved.map((id) => `${sanitize(id)} is active.`),
    ...overruled.map(({ id, by }) => `${sanitize(id)} is overruled by ${sanitize(by)}.`),
    ...waiting.map(
      ({ id, against }) =>
        `${sanitize(id)} is still waiting: it contradicts ${against.map(sanitize).join(', ')}. ` +
        `To overrule: agon learn --approve ${sanitize(id)}`,
    ),
    ...rejected.map((id) => `${sanitize(id)} is rejected.`),
  ];
  return lines.length > 0 ? lines : ['Nothing is waiting for approval.'];
}

export function renderAudit({ cases, right, rightWithout, audited, harmful }: Audit, retired: boolean): string[] {
  if (cases === 0) return ['Nothing to audit: no decided case on record still has its content.'];
  const sum =
    `${formatCount(cases, 'decided case')}, ${right} judged correctly with today's library; ` +
    `${formatCount(audited, 'precedent')} shown.`;
  if (harmful.length === 0) return [sum, 'No precedent does more harm than good.'];
  return [
    sum,
    ...harmful.map(
      ({ id, shown, hurt, helped }) =>
        `${style('cyan', sanitize(id))} shown ${shown} times: ${hurt.length} wrong with it and right without it, ` +
        `${helped.length} the other way round`,
    ),
    `Without ${harmful.length === 1 ? 'it' : 'them'}, ${rightWithout} would be right. ` +
      (retired ? 'Retired.' : 'To retire: run this again with --retire.'),
  ];
}
