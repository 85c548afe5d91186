import { codeCell, joinBlocks, markdownTable } from '@agonhq/engine/reports';
import { findings, flatten, type CiCheck } from './check.ts';

const words = {
  failed: 'failed',
  broken: 'could not be judged',
  undecided: 'undecided',
  noted: 'noted',
} as const satisfies Record<(typeof findings)[number], string>;

/** Rows of the table: a summary is read, the other reports have everything. */
const listedAtMost = 50;

/** Checks as Markdown: how many passed, and what did not, the worst first. */
export function renderSummary(title: string, checks: readonly CiCheck[]): string {
  const found = findings.flatMap((outcome) => checks.filter((check) => check.outcome === outcome));
  const counts = findings.flatMap((outcome) => {
    const count = found.filter((check) => check.outcome === outcome).length;
    return count > 0 ? [`${count} ${words[outcome]}`] : [];
  });
  const rows = found
    .slice(0, listedAtMost)
    .map(({ name, place, title: what, message }) =>
      [place ? `${place.file}:${place.line}` : '', name, what, message].map((text) => codeCell(flatten(text))),
    );
  return joinBlocks([
    `## ${title}`,
    [`${checks.length - found.length} passed`, ...counts].join(', '),
    rows.length > 0 ? markdownTable(['where', 'item', 'verdict', 'why'], rows) : '',
    found.length > listedAtMost ? `and ${found.length - listedAtMost} more` : '',
  ]);
}
