import type { InputFormat } from '../../items/index.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AgonError } from '../../errors.ts';
import type { AnnotationProject, Ledger } from '../../ledger/index.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { readDataset } from './read-dataset.ts';

export interface ProjectOrder {
  name: string;
  labels: readonly string[];
  votes: number;
  guidelines?: string | undefined;
  format?: InputFormat | undefined;
  map?: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes a project of a dataset and its images, or says what is wrong with them. Images that are kept for one that
 * fails go by themselves.
 */
export async function createProject(
  { annotations, attachments }: Pick<Ledger, 'annotations' | 'attachments'>,
  { name, labels, votes, guidelines, format, map }: ProjectOrder,
  { files, createdBy, signal }: { files: readonly UploadedFile[]; createdBy: string | null; signal: AbortSignal },
): Promise<AnnotationProject> {
  if ((await annotations.listProjects()).some((project) => project.name === name))
    throw new AgonError(
      'annotation-exists',
      `There is an annotation project ${JSON.stringify(name)} already.`,
      'Give it another name.',
    );
  const { images, items } = await readDataset(files, { format, map, signal });
  for (const { hash, mediaType, path } of images)
    await attachments.keepAttachment({ hash, mediaType, data: await readFile(path) });
  return annotations.createProject(
    {
      id: `annotation-${randomUUID().slice(0, 13)}`,
      name,
      labels,
      votes,
      guidelines: guidelines?.trim() ? guidelines : null,
      createdBy,
    },
    items(),
  );
}
