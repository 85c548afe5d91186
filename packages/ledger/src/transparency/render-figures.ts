import { codeCell, html, joinBlocks, markdownTable, page, table } from '@agonhq/engine/reports';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import type { CountedShare, TransparencyFigures } from './count-figures.ts';

export type FigureFormat = 'json' | 'csv' | 'markdown' | 'html';

/** One figure in words. */
interface Figure {
  group: string;
  name: string;
  value: string;
}

/** Every figure of a time, in one order for all formats. */
function listFigures(figures: TransparencyFigures): Figure[] {
  const { appeals, secondsToDecide, errors } = figures;
  const one = (group: string) => (name: string, value: string | number) => ({ group, name, value: String(value) });
  const many = (group: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([name, value]) => one(group)(name, value));
  return [
    one('decisions')('decided', figures.decided),
    one('decisions')('waiting for a person', figures.waiting),
    one('decisions')('automated', figures.automated),
    one('decisions')('by people', figures.byPeople),
    one('decisions')('with a statement of reasons', figures.statements),
    ...many('by action', figures.byAction),
    ...many('by clause', figures.byClause),
    ...many('by language', figures.byLanguage),
    ...many('by source', figures.bySource),
    ...many('appeals', appeals),
    one('seconds to decide, median')('all', writeSeconds(secondsToDecide.median)),
    one('seconds to decide, median')('automated', writeSeconds(secondsToDecide.automated)),
    one('seconds to decide, median')('by people', writeSeconds(secondsToDecide.byPeople)),
    one('errors, as people found them')('verdicts decided otherwise', writeShare(errors.contradicted)),
    one('errors, as people found them')('the same in the quality sample', writeShare(errors.contradictedInSample)),
    one('errors, as people found them')('unsafe that was safe', writeShare(errors.wronglyUnsafe)),
    one('errors, as people found them')('safe that was unsafe', writeShare(errors.wronglySafe)),
  ];
}

function writeSeconds(seconds: number | null): string {
  return seconds === null ? 'none' : seconds.toFixed(seconds < 10 ? 1 : 0);
}

function writeShare({ count, of, share }: CountedShare): string {
  return share === null ? 'none looked at' : `${count} of ${of} (${(100 * share).toFixed(1)} %)`;
}

const notes = [
  'A case counts in the time in which the decision was made that stands. Replays and shadows are left out; ' +
    'appeals are counted apart.',
  'Errors are known only of what people looked at. They mostly look at what is in doubt: the quality sample ' +
    'alone speaks for what the machine decides unseen.',
];

export function renderFigures(figures: TransparencyFigures, format: FigureFormat): string {
  return renderers[format](figures);
}

const renderers: Record<FigureFormat, (figures: TransparencyFigures) => string> = {
  json: (figures) => `${JSON.stringify(figures, null, 2)}\n`,
  csv: (figures) =>
    [
      renderCsvRow(['group', 'name', 'value']),
      ...listFigures(figures).map(({ group, name, value }) => renderCsvRow([group, renderTextCell(name), value])),
    ].join(''),
  markdown: (figures) =>
    `${joinBlocks([
      `# ${nameTime(figures)}`,
      ...listGroups(figures).flatMap(([group, own]) => [
        `## ${capitalise(group)}`,
        markdownTable(
          ['what', 'how many'],
          own.map(({ name, value }) => [codeCell(name), value]),
        ),
      ]),
      ...notes,
    ])}\n`,
  html: (figures) =>
    page(
      nameTime(figures),
      html`<h1>${nameTime(figures)}</h1>
        ${listGroups(figures).map(
          ([group, own]) =>
            html`<section>
              <h2>${capitalise(group)}</h2>
              ${table(
                group,
                ['What', 'How many'],
                own.map(({ name, value }) => [name, value]),
              )}
            </section>`,
        )}
        ${notes.map((note) => html`<p>${note}</p>`)}`,
    ),
};

function listGroups(figures: TransparencyFigures): [string, Figure[]][] {
  return [...Map.groupBy(listFigures(figures), ({ group }) => group)];
}

function nameTime({ from, to }: TransparencyFigures): string {
  return `Decisions from ${from.slice(0, 10)} up to ${to.slice(0, 10)}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
