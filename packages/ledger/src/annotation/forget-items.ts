import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Kind, Trx } from '../database/database.ts';
import { fromStored } from '../database/stored-json.ts';

const parts = ['text', 'prompt', 'response'] as const;
const words = z.string().optional().catch(undefined);
const wordsSchema = z.object({ text: words, prompt: words, response: words });

/** Takes away the annotation items that show what a subject shows, no more and no less, with their votes and marks. */
export async function forgetAnnotationItems(trx: Trx, kind: Kind, subject: string): Promise<void> {
  for (const { project, position } of await findAnnotationItems(trx, kind, subject))
    // Its images, votes and marks go with it.
    await trx.deleteFrom('annotation_items').where('project', '=', project).where('position', '=', position).execute();
}

/** The annotation items that show what a subject shows. */
export async function findAnnotationItems(
  trx: Db,
  kind: Kind,
  subject: string,
): Promise<{ project: string; position: number }[]> {
  const found: { project: string; position: number }[] = [];
  const row = await trx
    .selectFrom('subjects')
    .select(['version', 'content'])
    .where('hash', '=', subject)
    .executeTakeFirst();
  if (!row || row.content === null) return found;
  const said = readWords(fromStored('subject', row.version, row.content));
  const shown = await trx
    .selectFrom('subject_attachments')
    .select('attachment')
    .where('subject', '=', subject)
    .execute();
  const images = nameSet(shown);
  const known = said && parts.find((part) => said[part]);
  if (!said || (known === undefined && shown.length === 0)) return found;
  // Looked for as it is written, and compared as it is read: no database must understand all that people write.
  const written = known && `"${known}":${JSON.stringify(said[known])}`;
  const find = kind === 'sqlite' ? 'instr' : 'strpos';
  const candidates = await trx
    .selectFrom('annotation_items')
    .select(['project', 'position', 'version', 'content'])
    .$if(written !== undefined, (all) =>
      all.where(({ ref }) => sql<boolean>`${sql.raw(find)}(${ref('content')}, cast(${written} as text)) > 0`),
    )
    .$if(written === undefined, (all) =>
      all.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('annotation_images')
            .select('number')
            .whereRef('annotation_images.project', '=', 'annotation_items.project')
            .whereRef('annotation_images.position', '=', 'annotation_items.position')
            .where('attachment', '=', shown[0]!.attachment),
        ),
      ),
    )
    .execute();
  for (const { project, position, version, content } of candidates) {
    const own = readWords(fromStored('annotation-item', version, content));
    const pictured = await trx
      .selectFrom('annotation_images')
      .select('attachment')
      .where('project', '=', project)
      .where('position', '=', position)
      .execute();
    if (own && nameSet(pictured) === images && parts.every((part) => own[part] === said[part]))
      found.push({ project, position });
  }
  return found;
}

function readWords(content: unknown): z.infer<typeof wordsSchema> | undefined {
  return wordsSchema.safeParse(content).data;
}

function nameSet(rows: readonly { attachment: string }[]): string {
  return [...new Set(rows.map(({ attachment }) => attachment))].toSorted().join(' ');
}
