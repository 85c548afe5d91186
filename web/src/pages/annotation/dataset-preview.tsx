import { Field, Select } from '../../components/field.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { PlainText } from '../../components/words.tsx';
import { fields, type FieldName, type Preview } from './preview-rows.ts';
import { shorten } from '../../../../src/text/index.ts';

const cellLength = 120;

/** The first rows, and which column is what. */
export function DatasetPreview({
  preview: { columns, rows, problem },
  chosen,
  choose,
  images,
}: {
  preview: Preview;
  chosen: Partial<Record<FieldName, string>>;
  choose: (field: FieldName, column: string) => void;
  images: readonly File[];
}) {
  const missing = findMissingImages(rows, chosen.image, images);
  return (
    <section aria-label="Preview" className="grid gap-3">
      {problem && (
        <p role="alert" className="text-caution">
          {problem}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <div className="grid gap-3 sm:grid-cols-3 lg:grid-cols-5">
            {fields.map((field) => (
              <Field key={field} label={`Column of the ${field}`}>
                <Select value={chosen[field] ?? ''} onChange={(event) => choose(field, event.target.value)}>
                  <option value="">none</option>
                  {columns.map((column) => (
                    <option key={column} value={column}>
                      {column}
                    </option>
                  ))}
                </Select>
              </Field>
            ))}
          </div>
          <Table label="The first rows" head={columns}>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <Cell key={column} className="words max-w-64 text-sm">
                    <PlainText text={shorten(row[column] ?? '', cellLength)} />
                  </Cell>
                ))}
              </tr>
            ))}
          </Table>
          {missing.length > 0 && (
            <p role="status" className="words text-sm text-caution">
              Of the images that these rows name, {missing.length === 1 ? 'one is' : `${missing.length} are`} missing:{' '}
              {missing.join(', ')}. Drop {missing.length === 1 ? 'it' : 'them'} here, too.
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Only of the rows that are shown: the server looks at all. */
function findMissingImages(rows: Preview['rows'], column: string | undefined, images: readonly File[]): string[] {
  if (column === undefined) return [];
  const there = new Set(images.map(({ name }) => name));
  const named = rows.flatMap((row) => listImageNames(row[column] ?? ''));
  return [...new Set(named)].filter((name) => !there.has(name.split(/[/\\]/).at(-1)!));
}

function listImageNames(cell: string): string[] {
  if (!cell.startsWith('[')) return cell.trim() === '' || cell === 'null' ? [] : [cell];
  try {
    return (JSON.parse(cell) as unknown[]).filter((name) => typeof name === 'string');
  } catch {
    return [cell];
  }
}
