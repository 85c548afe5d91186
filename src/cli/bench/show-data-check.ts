import type { Counted, FileCheck, SourceLeaks } from '../../bench/index.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

/** Places that are named before "and n more". */
const named = 5;
const mostCategories = 12;

/** What a check found, for people. */
export function renderDataCheck(check: FileCheck): string[] {
  const { broken, ids, duplicates, nearDuplicates, conflicts, trivial, raters, lengths, leakage } = check;
  const rows = [
    ['labels', counted(check.labels, check.items)],
    ['modalities', counted(check.modalities, check.items)],
    ...(check.categories.some(({ name }) => name !== '(none)')
      ? [['categories', counted(check.categories, check.items, mostCategories)]]
      : []),
    ...(raters.items > 0
      ? [['raters', `${several(raters.items, 'item')} with several, divided on ${raters.divided}`]]
      : []),
    [
      'characters',
      lengths.p50 === null
        ? 'none'
        : `${lengths.least} to ${lengths.most}, half up to ${lengths.p50}, nine in ten up to ${lengths.p90}`,
    ],
    ['broken', broken.items === 0 ? 'none' : several(broken.items, 'item')],
    [
      'ids',
      [
        ids.without > 0 && `${ids.without} without`,
        ids.repeated > 0 && `${ids.repeated} repeated: ${places(ids.places, ids.repeated)}`,
      ]
        .filter(Boolean)
        .join(', ') || 'each once',
    ],
    [
      'duplicates',
      duplicates.items === 0
        ? 'none'
        : `${several(duplicates.items, 'item')}: ${places(duplicates.places, duplicates.items)}`,
    ],
    [
      'near-duplicates',
      `${nearDuplicates.items === 0 ? 'none' : `${several(nearDuplicates.items, 'item')}: ${places(nearDuplicates.places, nearDuplicates.items)}`}${nearDuplicates.looked + duplicates.items + broken.items < check.items ? style('dim', ` (among the first ${nearDuplicates.looked} different ones)`) : ''}`,
    ],
    ['label conflicts', conflicts.items === 0 ? 'none' : several(conflicts.items, 'item')],
    [
      'trivial',
      trivial.items === 0
        ? 'none'
        : `${several(trivial.items, 'item')}: ${[
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
      inWords(leaks),
      leaks.items === 0 ? 'none' : `${several(leaks.items, 'item')} (${percent(leaks.share)}): ${leakPlaces(leaks)}`,
    ]),
  ];
  return [
    `${style('bold', sanitize(check.file))}  ${several(check.items, 'item')} of ${check.job}, format ${check.format}`,
    ...formatTable([['', ''], ...rows.map(([name, value]) => [name!, sanitize(value!)])], [0, 1]).slice(1),
    ...broken.causes
      .slice(0, named)
      .map(({ message, items, line }) =>
        style('yellow', `  broken: ${several(items, 'line')} (first ${line}): ${sanitize(message)}`),
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

function inWords({ kind, source }: SourceLeaks): string {
  return kind === 'precedents'
    ? 'in the library'
    : kind === 'model'
      ? `trained ${sanitize(source)}`
      : `in ${sanitize(source)}`;
}

function leakPlaces({ places: leaks, items, kind }: SourceLeaks): string {
  const shown = leaks
    .slice(0, named)
    .map(
      ({ line, match, how, similarity }) =>
        `line ${line}${kind === 'model' ? '' : ` (${match}${how === 'same' ? '' : how === 'excerpt' ? ', excerpt' : `, ${similarity}`})`}`,
    );
  return more(shown, items);
}

function places(repeats: readonly { line: number; of: number }[], items: number): string {
  return more(
    repeats.slice(0, named).map(({ line, of }) => `${line} as ${of}`),
    items,
  );
}

function more(shown: readonly string[], items: number): string {
  return `${shown.join(', ')}${items > shown.length ? ` and ${items - shown.length} more` : ''}`;
}

function counted(counts: readonly Counted[], items: number, most = counts.length): string {
  const rest = counts.slice(most).reduce((sum, { count }) => sum + count, 0);
  return (
    [
      ...counts.slice(0, most).map(({ name, count }) => `${name} ${count} (${percent(count / items)})`),
      ...(rest > 0 ? [`others ${rest}`] : []),
    ].join(', ') || 'none'
  );
}

function percent(share: number | null): string {
  return share === null ? '–' : share > 0 && share < 0.001 ? '<0.1 %' : `${(share * 100).toFixed(1)} %`;
}

function several(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
