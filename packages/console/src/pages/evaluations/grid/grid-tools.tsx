import { DownloadLink, Button } from '../../../components/button.tsx';
import { type Option, SelectField } from '../../../components/field.tsx';
import { SearchBox } from '../../../components/search-box.tsx';
import { classes } from '../../../components/tones.ts';
import { writeSearch } from '../../../routing/search.ts';
import { showCount } from '../../../charts/format-figures.ts';
import type { GridOrder } from './item-grid.tsx';

export interface GridChoice {
  name: string;
  label: string;
  none?: string;
  options: readonly Option[];
}

interface GridToolsProps {
  search: string | undefined;
  choices: readonly GridChoice[];
  chosen: Readonly<Record<string, string | undefined>>;
  orders: readonly Option[];
  order: GridOrder;
  onChange: (change: Record<string, string | undefined>) => void;
  /** How many match, and of how many. */
  found: number | null;
  total: number | null;
  /** Where what is shown can be had as a file. */
  exportAt: string;
  exportQuery: Readonly<Record<string, unknown>>;
}

/** Search, filters, order and export of a grid. All of it stands in the address. */
export function GridTools(props: GridToolsProps) {
  const { search, choices, chosen, orders, order, onChange, found, total, exportAt, exportQuery } = props;
  const isFiltered = search !== undefined || choices.some(({ name }) => chosen[name] !== undefined);
  const address = (format: string) => `${exportAt}${writeSearch({ ...exportQuery, format })}`;
  return (
    <search className="grid gap-3">
      <div
        className={classes(
          'grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] items-end gap-3',
          '[&_select]:px-2 [&_select]:text-sm',
        )}
      >
        <div className="col-span-full sm:col-span-2">
          <SearchBox
            label="Search items"
            value={search ?? ''}
            onChange={(words) => onChange({ search: words || undefined })}
          />
        </div>
        {choices.map(({ name, label, none = 'Any', options }) => (
          <SelectField
            key={name}
            label={label}
            value={chosen[name] ?? ''}
            onChange={(value) => onChange({ [name]: value || undefined })}
            none={none}
            options={options}
          />
        ))}
        <SelectField
          label="Order"
          value={`${order.by} ${order.descending ? 'desc' : 'asc'}`}
          onChange={(value) => onChange(writeOrder(value))}
          options={orders}
        />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <p aria-live="polite" className="mr-auto text-sm text-quiet">
          {found !== null && `${showCount(found)}${total === null ? '' : ` of ${showCount(total)}`} items`}
        </p>
        {isFiltered && (
          <Button
            size="small"
            variant="quiet"
            onClick={() =>
              onChange(
                Object.fromEntries(['search', ...choices.map(({ name }) => name)].map((name) => [name, undefined])),
              )
            }
          >
            Clear filters
          </Button>
        )}
        {(['csv', 'jsonl'] as const).map((format) => (
          <DownloadLink key={format} size="small" href={address(format)}>
            {format === 'csv' ? 'Export CSV' : 'Export JSON Lines'}
          </DownloadLink>
        ))}
      </div>
    </search>
  );
}

/** `score desc` as it stands in the address; the order of the input does not. */
export function writeOrder(value: string): { sort: string | undefined; order: string | undefined } {
  const [by, way] = value.split(' ') as [string, string];
  return { sort: by === 'position' && way === 'asc' ? undefined : by, order: way === 'desc' ? 'desc' : undefined };
}
