import type { CSSProperties, ReactNode } from 'react';
import type { BenchBlock, BlockCell, BlockTable, Chart as BlockChart, ItemName } from '@agonhq/bench/report/block';
import { shortenName } from '@agonhq/bench/report/write-values';
import { shortenCharacters } from '@agonhq/engine/text';
import { Table } from '../../components/table.tsx';
import { classes } from '../../components/tones.ts';
import { BarsPlot } from './bars-plot.tsx';
import { CurvesPlot, LinesPlot, ReliabilityPlot, TrajectoryPlot } from './line-plots.tsx';
import { OwnWords } from './plot.tsx';
import { ScatterPlot } from './scatter-plot.tsx';

/** Where an item is on the page; null when the page does not show it. */
export type LinkOf = (item: ItemName) => string | null;

export interface BlockPlace {
  /** What tells its table from one of the same title elsewhere on the page. */
  of?: string;
  linkOf?: LinkOf;
}

interface BlockViewProps extends BlockPlace {
  block: BenchBlock;
}

/** A table or figure with what is said around it. */
export function BlockView({ block, of, linkOf = () => null }: BlockViewProps) {
  const { title, lead, table, folded = false, chart, charts = [], notes = [], missing } = block;
  const drawn = [...(chart ? [chart] : []), ...charts];
  const shown = table && <BlockTableView label={of ? `${title}, ${of}` : title} table={table} linkOf={linkOf} />;
  return (
    <>
      {lead !== '' && <p className="max-w-3xl text-quiet">{lead}</p>}
      {missing && <p className="text-quiet italic">{missing}</p>}
      <div
        className={classes(
          drawn.length > 1 && 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] items-end gap-x-10',
        )}
      >
        {drawn.map((one, place) => (
          <ChartView key={place} chart={one} />
        ))}
      </div>
      {folded && shown ? (
        <details>
          <summary className="mb-3 text-link">Show the table</summary>
          {shown}
        </details>
      ) : (
        shown
      )}
      {notes.map((note) => (
        <p key={note} className="text-sm text-quiet">
          {note}
        </p>
      ))}
    </>
  );
}

function ChartView({ chart }: { chart: BlockChart }) {
  switch (chart.kind) {
    case 'bars':
      return <BarsPlot {...chart} />;
    case 'lines':
      return <LinesPlot {...chart} />;
    case 'curves':
      return <CurvesPlot {...chart} />;
    case 'reliability':
      return <ReliabilityPlot {...chart} />;
    case 'scatter':
      return <ScatterPlot {...chart} />;
    case 'trajectory':
      return <TrajectoryPlot {...chart} />;
  }
}

interface BlockTableProps {
  label: string;
  table: BlockTable;
  linkOf: LinkOf;
}

/** A table that the page's script can sort: by `sorts`, `number` and `data-sort`. */
function BlockTableView({ label, table: { head, rows }, linkOf }: BlockTableProps) {
  return (
    <Table
      label={label}
      className="w-fit max-w-full"
      tableClass={classes('figures', rows.length > 1 && 'sorts')}
      head={head.map((title, column) => (
        <CellView key={column} cell={title} linkOf={linkOf} />
      ))}
      headClass={(column) => (head[column]!.number ? 'number' : '')}
    >
      {rows.map((row, place) => (
        <tr key={place}>
          {row.map((cell, column) => {
            const { look, ...rest } = describeCell(cell, head[column]);
            const shown = <CellView cell={cell} linkOf={linkOf} />;
            return column === 0 ? (
              <th key={column} scope="row" className={look} {...rest}>
                {shown}
              </th>
            ) : (
              <td key={column} className={look} {...rest}>
                {shown}
              </td>
            );
          })}
        </tr>
      ))}
    </Table>
  );
}

function describeCell({ text, items, number, sort, shade }: BlockCell, head: BlockCell | undefined) {
  // What is on one line anyway, and would not look well on two.
  const isBrief = text.length <= 24 && !items;
  const kind = (number ?? head?.number) ? 'number' : isBrief && 'whitespace-nowrap';
  const ground = shade !== undefined && Math.round(Math.min(1, Math.max(0, shade * 2)) * 36);
  return {
    look: classes(kind, ground !== false && 'shaded'),
    ...(sort !== undefined && { 'data-sort': sort ?? '' }),
    ...(ground !== false && { style: { '--shade': `${ground}%` } as CSSProperties }),
  };
}

export function CellView({ cell: { text, name, emphasis, detail, mark, items }, linkOf }: CellViewProps) {
  const brief = shortenCharacters(text, 400);
  const words = name === 'title' ? <OwnWords text={brief} /> : name ? <CodeName text={brief} /> : text;
  return (
    <>
      {emphasise(
        <>
          {words}
          {mark}
        </>,
        emphasis,
      )}
      {detail !== undefined && <small> {detail}</small>}
      {items && text !== '' && ' '}
      {items?.map((item, place) => (
        <span key={place}>
          {place > 0 && ', '}
          <ItemLink name={item.name} address={linkOf(item)} />
          {item.note !== undefined && <small> {item.note}</small>}
        </span>
      ))}
    </>
  );
}

interface CellViewProps {
  cell: BlockCell;
  linkOf: LinkOf;
}

function ItemLink({ name, address }: { name: string; address: string | null }) {
  const shown = <CodeName text={shortenName(name)} />;
  return address === null ? (
    shown
  ) : (
    <a href={`#${address}`} className="text-link underline">
      {shown}
    </a>
  );
}

/** A short machine word: an id, a system, a file. */
export function CodeName({ text }: { text: string }) {
  return (
    <code>
      <OwnWords text={text} />
    </code>
  );
}

function emphasise(shown: ReactNode, emphasis: BlockCell['emphasis']): ReactNode {
  if (emphasis === 'best') return <b>{shown}</b>;
  if (emphasis === 'second') return <u className="underline-offset-3">{shown}</u>;
  if (emphasis !== 'breach') return shown;
  return (
    <strong className="text-risk">
      {shown}{' '}
      <span role="img" aria-label="reaches the threshold">
        ⚑
      </span>
    </strong>
  );
}
