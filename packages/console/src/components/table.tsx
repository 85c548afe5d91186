import type { ComponentProps, ReactNode } from 'react';
import { classes } from './tones.ts';

interface TableProps {
  /** What it lists. */
  label: string;
  head: readonly ReactNode[];
  headClass?: (column: number) => string;
  className?: string;
  tableClass?: string;
  children: ReactNode;
}

/** A table that scrolls by itself where it is too wide. */
export function Table({ label, head, headClass, className, tableClass, children }: TableProps) {
  const look = classes('overflow-x-auto rounded-xl border bg-surface', className);
  return (
    <div className={look} tabIndex={0} role="region" aria-label={label}>
      <table className={classes('w-full border-collapse text-left', tableClass)}>
        <thead className="border-b text-sm text-quiet">
          <tr>
            {head.map((name, index) => (
              <th
                key={index}
                scope="col"
                className={classes('px-3 py-2 font-medium whitespace-nowrap', headClass?.(index))}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

export type TableColumn<Row> = readonly [title: ReactNode, cell: (row: Row) => ReactNode, className?: string];

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
}

/** A table with a row for each of some things, and a column for each of their figures. */
export function DataTable<Row>({ label, rows, columns }: DataTableProps<Row>) {
  return (
    <Table label={label} head={columns.map(([title]) => title)}>
      {rows.map((row, index) => (
        <tr key={keyOf(row) ?? index}>
          {columns.map(([, cell, className], column) => (
            <Cell key={column} className={className}>
              {cell(row)}
            </Cell>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** A row that has an id stays the same one wherever it moves: a dialog in it stays open. */
function keyOf(row: unknown): string | null {
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? row.id : null;
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={classes('px-3 py-2 align-top', className)} {...rest} />;
}

export type TableFact = readonly [name: string, value: ReactNode];

interface FactsProps {
  facts: readonly (TableFact | null)[];
  className?: string;
  valueClass?: string;
}

/** Names and their values. Null values are left out. */
export function Facts({ facts, className, valueClass = 'words' }: FactsProps) {
  const grid = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-x-6 gap-y-3';
  const shown = facts.filter((fact) => fact !== null).filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl className={className ?? grid}>
      {shown.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-quiet">{name}</dt>
          <dd className={valueClass}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FigureCardProps {
  name: string;
  value: string;
  word?: string;
  children: ReactNode;
}

/** A figure with its name, what it amounts to in a word, and what it is made of; within a `dl`. */
export function FigureCard({ name, value, word, children }: FigureCardProps) {
  return (
    <div className="grid content-start gap-0.5 rounded-xl border bg-surface px-4 py-3">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl tabular-nums">
        {value} {word && <span className="text-base text-quiet">{word}</span>}
      </dd>
      <dd className="text-sm text-quiet">{children}</dd>
    </div>
  );
}
