import type { ResolveReport, ScreeningReport } from '@agonhq/bench';
import { toOneLine } from '@agonhq/engine/text';
import { printCount, printPercent, printShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatRow, formatTable } from '../terminal/table.ts';

/** What a screening found. */
export function renderScreening(report: ScreeningReport): string[] {
  const { data, items, labelled, flagged, reasons, broken, systems, agreement } = report;
  const why = [
    reasons['against-label'] > 0 && `${reasons['against-label']} contradict their label`,
    reasons.disagreement > 0 && `${reasons.disagreement} disputed`,
    reasons.undecided > 0 && `${reasons.undecided} undecided`,
    reasons.failed > 0 && `${reasons.failed} failed`,
  ].filter(Boolean);
  const others = systems.length > 1 ? systems : [];
  return [
    [
      style('bold', sanitize(data.file)),
      `${items} items, ${labelled} labelled`,
      ...(broken.length > 0 ? [`${broken.length} broken lines`] : []),
      `sha256 ${data.sha256.slice(0, 12)}…`,
    ].join(' · '),
    `${flagged} flagged${report.share === null ? '' : ` (${printPercent(report.share)})`}` +
      (why.length > 0 ? `: ${why.join(', ')}` : ''),
    '',
    ...formatTable([
      ['system', 'matches label', 'kappa', 'undecided', 'failed', ...others.map(({ name }) => `κ ${sanitize(name)}`)],
      ...systems.map(({ name, withLabel, undecided, failed }) => [
        sanitize(name),
        printShare(withLabel.share),
        printShare(withLabel.kappa),
        String(undecided),
        String(failed),
        ...others.map((other) => findKappa(report, name, other.name)),
      ]),
    ]),
    ...(others.length > 0 ? ['', `Agreement of systems: ${formatAgreement(agreement)}`] : []),
    '',
  ];
}

function findKappa({ pairs }: ScreeningReport, first: string, second: string): string {
  if (first === second) return '';
  return printShare(
    pairs.find(
      (pair) => (pair.first === first && pair.second === second) || (pair.first === second && pair.second === first),
    )?.kappa ?? null,
  );
}

function formatAgreement({
  percent: pairs,
  cohen = null,
  krippendorff,
}: {
  percent: number | null;
  cohen?: number | null;
  krippendorff: number | null;
}): string {
  return [
    `${pairs === null ? '–' : printPercent(pairs)} of pairs agree`,
    ...(cohen === null ? [] : [`Cohen's κ ${printShare(cohen)}`]),
    `Krippendorff's α ${printShare(krippendorff)}`,
  ].join(' · ');
}

const mostNamed = 20;

/** What the votes decided. */
export function renderResolved({
  items,
  decided,
  labels,
  unanimous,
  changed,
  open,
  agreement,
  raters,
}: ResolveReport): string[] {
  return [
    `${style('bold', `${decided} of ${items} items decided`)}: ${labels.unsafe} unsafe, ${labels.safe} safe, ` +
      `${unanimous} unanimously`,
    ...(changed.labelled > 0 ? [`${changed.items.length} of ${changed.labelled} labels changed`] : []),
    `Agreement of ${printCount(raters.length, 'person', 'people')} on ${printCount(agreement.items, 'item')}: ` +
      formatAgreement(agreement),
    '',
    ...formatTable([
      ['rater', 'votes', 'with the majority'],
      ...raters.map(({ name, votes, withMajority }) => [
        sanitize(name),
        String(votes),
        withMajority === null ? '–' : printPercent(withMajority),
      ]),
    ]),
    ...(open.length > 0 ? ['', ...formatRow(`${open.length} still open: `, listOpen(open))] : []),
    '',
  ];
}

function listOpen(open: ResolveReport['open']): string {
  const named = open
    .slice(0, mostNamed)
    .map(
      ({ id, why, missing }) =>
        `${toOneLine(sanitize(id)).slice(0, 60)} ` +
        `(${why === 'tie' ? 'tie' : `no vote by ${missing.map(sanitize).join(', ')}`})`,
    );
  return [...named, ...(open.length > mostNamed ? [`and ${open.length - mostNamed} more`] : [])].join(', ');
}
