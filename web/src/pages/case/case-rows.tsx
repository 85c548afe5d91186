import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CaseRow } from '../../api/types.ts';
import { LabelBadge } from '../../components/label-badge.tsx';
import { Score } from '../../components/score.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';
import { PlainText } from '../../components/words.tsx';

/** A few other cases; `note` is a column of its own. */
export function CaseRows<Row extends CaseRow>({
  label,
  rows,
  note: [title, note],
}: {
  label: string;
  rows: readonly Row[];
  note: readonly [title: string, note: (row: Row) => ReactNode];
}) {
  return (
    <Table label={label} head={[title, 'Label', 'Score', 'Case', 'When']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <Cell className="whitespace-nowrap">{note(row)}</Cell>
          <Cell>
            <LabelBadge label={row.label} />
          </Cell>
          <Cell>
            <Score value={row.score} width="w-12" />
          </Cell>
          <Cell className="min-w-60">
            <Link to="/cases/$id" params={{ id: row.id }} className="text-link underline">
              <span className="line-clamp-2">{row.excerpt === null ? row.id : <PlainText text={row.excerpt} />}</span>
            </Link>
          </Cell>
          <Cell className="text-sm whitespace-nowrap text-quiet">
            <When moment={row.openedAt} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
