import { useEffect, useState } from 'react';
import { detectFormat, isDatasetFile, readPreview, type Preview } from './preview-rows.ts';

/** So much of a dataset is read for its preview. */
const previewBytes = 256 * 1024;

export interface DroppedDataset {
  dataset: File | null;
  images: readonly File[];
  /** Null until it was read. */
  preview: Preview | null;
  add(files: readonly File[]): void;
  remove(file: File): void;
}

/** The files of a project that is yet to be made: the last dataset that was dropped, and every image. */
export function useDataset(): DroppedDataset {
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
    add(files) {
      const table = files.findLast(({ name }) => isDatasetFile(name));
      if (table) setDataset(table);
      const added = files.filter(({ name }) => !isDatasetFile(name));
      // One of the same name replaces the one before.
      setImages([...images.filter(({ name }) => !added.some((file) => file.name === name)), ...added]);
    },
    remove(file) {
      if (file === dataset) setDataset(null);
      setImages(images.filter((image) => image !== file));
    },
  };
}
