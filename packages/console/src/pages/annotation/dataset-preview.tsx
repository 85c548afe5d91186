import { useEffect, useState } from 'react';
import { shorten } from '@agonhq/engine/text';
import { SelectField } from '../../components/field.tsx';
import { PlainText } from '../../components/text.tsx';
import { type TableColumn, DataTable } from '../../components/table.tsx';
import { detectFormat, type FieldName, fields, isDatasetFile, type Preview, readPreview } from './read-preview.ts';

const cellLength = 120;

interface DatasetPreviewProps {
  preview: Preview;
  chosen: Partial<Record<FieldName, string>>;
  choose: (field: FieldName, column: string) => void;
  images: readonly File[];
}

export function DatasetPreview({ preview: { columns, rows, problem }, chosen, choose, images }: DatasetPreviewProps) {
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
              <SelectField
                key={field}
                label={`Column for ${field}`}
                value={chosen[field] ?? ''}
                onChange={(value) => choose(field, value)}
                none="None"
                options={columns.map((column) => [column, column])}
              />
            ))}
          </div>
          <DataTable
            label="First rows"
            rows={rows}
            columns={columns.map((column): TableColumn<Preview['rows'][number]> => [
              column,
              (row) => <PlainText text={shorten(row[column] ?? '', cellLength)} />,
              'words max-w-64 text-sm',
            ])}
          />
          {missing.length > 0 && (
            <p role="status" className="words text-sm text-caution">
              {missing.length === 1
                ? 'One image named in these rows is'
                : `${missing.length} images named in these rows are`}{' '}
              missing: {missing.join(', ')}. Drop {missing.length === 1 ? 'it' : 'them'} here, too.
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

const previewBytes = 256 * 1024;

/** The files of a project that is yet to be made: the last dataset that was dropped, and every image. */
export function useDataset() {
  const [dataset, setDataset] = useState<File | null>(null);
  const [images, setImages] = useState<readonly File[]>([]);
  const [read, setRead] = useState<{ of: File; preview: Preview } | null>(null);
  useEffect(() => {
    if (!dataset) return undefined;
    let left = false;
    void dataset
      .slice(0, previewBytes)
      .text()
      .then((text) => {
        if (!left)
          setRead({
            of: dataset,
            preview: readPreview(text, detectFormat(dataset.name), dataset.size <= previewBytes),
          });
      });
    return () => {
      left = true;
    };
  }, [dataset]);
  return {
    dataset,
    images,
    preview: dataset !== null && read?.of === dataset ? read.preview : null,
    add(files: readonly File[]) {
      const table = files.findLast(({ name }) => isDatasetFile(name));
      if (table) setDataset(table);
      const added = files.filter(({ name }) => !isDatasetFile(name));
      // One of the same name replaces the one before.
      setImages([...images.filter(({ name }) => !added.some((file) => file.name === name)), ...added]);
    },
    remove(file: File) {
      if (file === dataset) setDataset(null);
      setImages(images.filter((image) => image !== file));
    },
  };
}
