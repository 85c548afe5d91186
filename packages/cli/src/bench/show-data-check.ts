import type { Counted, FileCheck, SourceLeaks } from '@agonhq/bench';
import { printCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

/** How many places are named before "and n more". */
const named = 5;
const mostCategories = 12;

/** What a check found. */
export function renderDataCheck(check: FileCheck): string[] {
  const { broken, ids, duplicates, nearDuplicates, conflicts, trivial, raters, lengths, leakage } = check;
  const rows = [
    ['labels', formatShares(check.labels, check.items)],
    ['modalities', formatShares(check.modalities, check.items)],
    ...(check.categories.some(({ name }) => name !== '(none)')
      ? [['categories', formatShares(check.categories, check.items, mostCategories)]]
      : []),
    ...(raters.items > 0
      ? [['raters', `${printCount(raters.items, 'item')} with several, who disagree on ${raters.divided}`]]
      : []),
    [
      'characters',
      lengths.p50 === null
        ? 'none'
        : `${lengths.least} to ${lengths.most}, median ${lengths.p50}, 90th percentile ${lengths.p90}`,
    ],
    ['broken', broken.items === 0 ? 'none' : printCount(broken.items, 'item')],
    [
      'ids',
      [
        ids.without > 0 && `${ids.without} without`,
        ids.repeated > 0 && `${ids.repeated} repeated: ${listRepeats(ids.places, ids.repeated)}`,
      ]
        .filter(Boolean)
        .join(', ') || 'unique',
    ],
    [
      'duplicates',
      duplicates.items === 0
        ? 'none'
        : `${printCount(duplicates.items, 'item')}: ${listRepeats(duplicates.places, duplicates.items)}`,
    ],
    [
      'near-duplicates',
      (nearDuplicates.items === 0
        ? 'none'
        : `${printCount(nearDuplicates.items, 'item')}: ${listRepeats(nearDuplicates.places, nearDuplicates.items)}`) +
        (nearDuplicates.looked + duplicates.items + broken.items < check.items
          ? style('dim', ` (among the first ${nearDuplicates.looked} distinct items)`)
          : ''),
    ],
    ['label conflicts', conflicts.items === 0 ? 'none' : printCount(conflicts.items, 'item')],
    [
      'trivial',
      trivial.items === 0
        ? 'none'
        : `${printCount(trivial.items, 'item')}: ${[
            [trivial.refusals, 'refusals'],
            [trivial.marked, 'marked'],
            [trivial.oneWord, 'of one word'],
            [trivial.empty, 'empty'],
          ]
            .filter(([count]) => Number(count) > 0)
            .map((part) => part.join(' '))
            .join(', ')}`,
    ],
    ...leakage.map((leaks) => [
      nameSource(leaks),
      leaks.items === 0
        ? 'none'
        : `${printCount(leaks.items, 'item')} (${formatPart(leaks.share)}): ${listLeaks(leaks)}`,
    ]),
  ];
  return [
    `${style('bold', sanitize(check.file))}  ` +
      `${printCount(check.items, 'item')} of ${check.job}, format ${check.format}`,
    ...formatTable([['', ''], ...rows.map(([name, value]) => [name!, sanitize(value!)])], [0, 1]).slice(1),
    ...broken.causes
      .slice(0, named)
      .map(({ message, items, line }) =>
        style('yellow', `  broken: ${printCount(items, 'line')} (first ${line}): ${sanitize(message)}`),
      ),
    ...conflicts.places.map(({ line, of, labels, excerpt }) =>
      style('red', `  conflict: line ${line} ${labels[0]}, line ${of} ${labels[1]}: ${sanitize(excerpt)}`),
    ),
    ...(conflicts.items > conflicts.places.length
      ? [style('red', `  and ${conflicts.items - conflicts.places.length} more conflicts`)]
      : []),
    '',
  ];
}

function nameSource({ kind, source }: SourceLeaks): string {
  return kind === 'precedents'
    ? 'in precedents'
    : kind === 'model'
      ? `trained ${sanitize(source)}`
      : `in ${sanitize(source)}`;
}

function listLeaks({ places: leaks, items, kind }: SourceLeaks): string {
  const shown = leaks.slice(0, named).map(({ line, match, how, similarity }) => {
    if (kind === 'model') return `line ${line}`;
    const likeness = how === 'same' ? '' : `, ${how === 'excerpt' ? 'excerpt' : similarity}`;
    return `line ${line} (${match}${likeness})`;
  });
  return listFirst(shown, items);
}

function listRepeats(repeats: readonly { line: number; of: number }[], items: number): string {
  return listFirst(
    repeats.slice(0, named).map(({ line, of }) => `${line} = ${of}`),
    items,
  );
}

function listFirst(shown: readonly string[], items: number): string {
  return `${shown.join(', ')}${items > shown.length ? ` and ${items - shown.length} more` : ''}`;
}

function formatShares(counts: readonly Counted[], items: number, most = counts.length): string {
  const rest = counts.slice(most).reduce((sum, { count }) => sum + count, 0);
  return (
    [
      ...counts.slice(0, most).map(({ name, count }) => `${name} ${count} (${formatPart(count / items)})`),
      ...(rest > 0 ? [`others ${rest}`] : []),
    ].join(', ') || 'none'
  );
}

function formatPart(share: number | null): string {
  return share === null ? '–' : share > 0 && share < 0.001 ? '<0.1 %' : `${(share * 100).toFixed(1)} %`;
}
