import { ArrowDown, ArrowUp, EyeOff } from 'lucide-react';
import {
  findingColumns,
  findWhere,
  joinArithmetic,
  nameFindingSpeaker,
  type FindingColumn,
} from '@agonhq/documents/findings/arrange-findings';
import type { ListedFinding } from '@agonhq/documents/findings/list-findings';
import { Badge } from '../../../components/badge.tsx';
import { PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import type { ReadingPlace } from '../reading-place.ts';
import type { Analysis } from '../analysis-types.ts';
import { FindingBadge } from './finding-badge.tsx';

const titles: Record<FindingColumn, string> = {
  verdict: 'Verdict',
  finding: 'Finding',
  where: 'Where',
  arithmetic: 'Arithmetic',
  confidence: 'Confidence',
  'said-by': 'Whose word',
};

interface FindingsTableProps {
  analysis: Analysis;
  findings: readonly ListedFinding[];
  sort?: ReadingPlace['sort'];
  /** Absent in a report, whose rows lead to the claim or the check. */
  onSort?: (sort: string | undefined) => void;
  onOpen?: (id: string) => void;
}

/**
 * A row for each finding, sorted by any column. On a narrow screen the cells of a row stand below each other; the roles
 * are said, since a table that is laid out otherwise would lose them.
 */
export function FindingsTable({ analysis, findings, sort, onSort, onOpen }: FindingsTableProps) {
  return (
    <table role="table" aria-label="Findings" className="block w-full border-collapse text-left md:table">
      <thead role="rowgroup" className="block md:table-header-group">
        <tr role="row" className="flex flex-wrap gap-1 pb-2 md:table-row">
          {findingColumns.map((column) => (
            <ColumnHead key={column} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-2 md:table-row-group">
        {findings.map((finding) => (
          <FindingRow key={finding.id} finding={finding} analysis={analysis} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

type ColumnHeadProps = { column: FindingColumn } & Pick<FindingsTableProps, 'sort' | 'onSort'>;

/** Pressed once it sorts by the column, then the other way, then no more. */
function ColumnHead({ column, sort, onSort }: ColumnHeadProps) {
  const title = titles[column];
  const up = sort === column;
  const down = sort === `-${column}`;
  const look = 'text-sm font-medium text-quiet md:border-b md:bg-paper md:py-1.5';
  if (!onSort)
    return (
      <th role="columnheader" scope="col" className={classes(look, 'whitespace-nowrap max-md:sr-only md:px-3')}>
        {title}
      </th>
    );
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}
      className={classes(look, 'md:px-2')}
    >
      <button
        type="button"
        onClick={() => onSort(up ? `-${column}` : down ? undefined : column)}
        className={classes(
          'inline-flex min-h-7 items-center gap-1 rounded-full border px-2.5 whitespace-nowrap hover:text-ink',
          'md:rounded-md md:border-transparent md:px-1',
          (up || down) && 'text-ink max-md:border-link',
        )}
      >
        {title}
        {up && <ArrowUp aria-hidden className="size-3.5" />}
        {down && <ArrowDown aria-hidden className="size-3.5" />}
      </button>
    </th>
  );
}

type FindingRowProps = { finding: ListedFinding } & Pick<FindingsTableProps, 'analysis' | 'onOpen'>;

function FindingRow({ finding, analysis, onOpen }: FindingRowProps) {
  const { id, claim, verdict, text, confidence, person, edit } = finding;
  const link = 'words text-left text-link hover:underline';
  const cell = 'md:table-cell md:border-b md:px-3 md:py-2.5 md:align-top';
  const small = classes(cell, 'text-sm text-quiet max-md:empty:hidden');
  return (
    <tr
      role="row"
      data-finding={id}
      className="grid gap-1.5 rounded-xl border bg-surface p-3 md:table-row md:rounded-none md:border-0 md:p-0"
    >
      <td role="cell" className={cell}>
        <FindingBadge verdict={verdict} />
      </td>
      <td role="cell" className={classes(cell, 'md:w-1/3')}>
        {onOpen ? (
          <button type="button" onClick={() => onOpen(id)} className={link}>
            <PlainText text={text} />
          </button>
        ) : (
          <a href={claim === null ? `#${id}` : `#claim-${claim}`} className={link}>
            <PlainText text={text} />
          </a>
        )}
        {edit?.wording && (
          <span className="words mt-1 block border-l-2 border-l-link pl-2 text-sm">
            <PlainText text={`${edit.by}: ${edit.wording}`} />
          </span>
        )}
        {edit?.note && (
          <span className="words mt-1 block text-sm text-quiet">
            <PlainText text={`Note by ${edit.by}: ${edit.note}`} />
          </span>
        )}
        {edit?.leftOut && (
          <Badge icon={EyeOff} className="mt-1">
            Left out of exports
          </Badge>
        )}
      </td>
      <td role="cell" className={classes(small, 'words md:min-w-28')}>
        <PlainText text={findWhere(finding, analysis)} />
      </td>
      <td role="cell" className={classes(small, 'words font-mono whitespace-pre-line md:w-1/4')}>
        <PlainText text={joinArithmetic(finding)} />
      </td>
      <td role="cell" className={classes(small, 'whitespace-nowrap tabular-nums md:text-right')}>
        {confidence !== null && (
          <>
            <span className="md:hidden">Confidence </span>
            {Math.round(confidence * 100)} %
          </>
        )}
      </td>
      <td role="cell" className={classes(small, 'words md:min-w-24')}>
        {person ? (
          <>
            <FindingBadge verdict={person.label} />
            <span className="block">
              says <PlainText text={person.by} />
            </span>
          </>
        ) : (
          nameFindingSpeaker(finding)
        )}
      </td>
    </tr>
  );
}
