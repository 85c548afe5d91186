import type { Approved, Audit, LearnReport, TakenCase } from '../../learning/index.ts';
import { sanitize, style } from '../terminal/style.ts';

const outcomeWords: Record<TakenCase['outcome'], string> = {
  learnt: 'learnt',
  proposed: 'proposed, waiting for approval',
  'set-aside': 'set aside for a person',
  duplicate: 'alike to one that is there',
  known: 'known already',
  refused: 'refused',
  forgotten: 'forgotten: teaches nothing',
  'to-ask': 'to be studied',
};

/** What was learnt, for people. */
export function renderLearning({ cases, dryRun, mode, curator, usage, stopped }: LearnReport): string[] {
  if (cases.length === 0)
    return [
      mode === 'all'
        ? 'Nothing to learn from: no decided case is new.'
        : 'Nothing to learn from: no verdict on record is known to be wrong that was not learnt from.',
    ];
  const counts = [...Map.groupBy(cases, ({ outcome }) => outcome)].map(
    ([outcome, members]) => `${members.length} ${outcomeWords[outcome]}`,
  );
  const cost = usage.costUsd === null ? `${usage.calls} calls, price unknown` : `$${usage.costUsd.toFixed(4)}`;
  return [
    ...cases.flatMap(caseLines),
    `${cases.length} ${cases.length === 1 ? 'case' : 'cases'} by ${sanitize(curator)}: ${counts.join(', ')} · ${cost}${dryRun ? ' · a dry run, nothing was written' : ''}`,
    ...(stopped === null ? [] : [style('yellow', stopped)]),
  ];
}

function caseLines({ case: id, verdict, truth, outcome, why, of, against, lesson, precedent }: TakenCase): string[] {
  const detail =
    why ??
    (of === undefined ? undefined : `says the same as ${of}`) ??
    (against === undefined ? undefined : `contradicts ${against.join(', ')}`);
  const isNew = outcome === 'learnt' || outcome === 'proposed' || outcome === 'set-aside';
  return [
    `${style('cyan', sanitize(id))} was ${verdict}, is ${truth}: ${outcomeWords[outcome]}${isNew && precedent ? ` as ${sanitize(precedent.id)}` : ''}${detail === undefined ? '' : ` (${sanitize(detail)})`}`,
    ...(isNew && lesson
      ? [
          style(
            'dim',
            `  ${sanitize(lesson.turn === '' ? '' : `${lesson.turn} ${lesson.fault} ${lesson.what}. `)}Look for: ${sanitize(lesson.cues.join('; '))}`,
          ),
        ]
      : []),
  ];
}

export function renderApproval({ approved, overruled, waiting }: Approved, rejected: readonly string[]): string[] {
  const lines = [
    ...approved.map((id) => `${sanitize(id)} is in force.`),
    ...overruled.map(({ id, by }) => `${sanitize(id)} is overruled by ${sanitize(by)}.`),
    ...waiting.map(
      ({ id, against }) =>
        `${sanitize(id)} waits: it contradicts ${against.map(sanitize).join(', ')}. To overrule: agon learn --approve ${sanitize(id)}`,
    ),
    ...rejected.map((id) => `${sanitize(id)} is rejected.`),
  ];
  return lines.length > 0 ? lines : ['Nothing waits for approval.'];
}

export function renderAudit({ cases, right, rightWithout, audited, harmful }: Audit, retired: boolean): string[] {
  if (cases === 0) return ['Nothing to audit: no decided case is on record whose content is still there.'];
  const sum = `${cases} decided cases, ${right} judged rightly with today's library; ${audited} precedents were shown.`;
  if (harmful.length === 0) return [sum, 'None of them does more harm than good.'];
  return [
    sum,
    ...harmful.map(
      ({ id, shown, hurt, helped }) =>
        `${style('cyan', sanitize(id))} shown ${shown} times: ${hurt.length} wrong with it and right without, ${helped.length} ` +
        'the other way round',
    ),
    `Without ${harmful.length === 1 ? 'it' : 'them'} ${rightWithout} would be right. ${retired ? 'Retired.' : 'To take out of use: the same with --retire.'}`,
  ];
}
