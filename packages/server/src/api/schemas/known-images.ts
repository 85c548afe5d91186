import { z } from 'zod';
import { moment, named, pageOf, paging } from './common.ts';

/* The restricted queue: images that came in and are on a list of known images. None of them is kept. */

const states = ['waiting', 'reported', 'dismissed'] as const;

export const knownImage = named(
  'KnownImage',
  z.object({
    id: z.string(),
    case: z.string().nullable().describe('Null where a document was refused before there was a case.'),
    item: z.string().nullable().describe('The caller’s own id of what was judged.'),
    run: z.string().nullable(),
    image: z
      .string()
      .describe('Its id in the case: `image-1`, or `video-1/frame-3`; of a document, `report.pdf, page 3, picture 1`.'),
    file: z.string().nullable().describe('The file that it is, or is in, by the hash of its bytes.'),
    pdq: z.string().describe('Its perceptual hash.'),
    list: z.string(),
    entry: z
      .object({ hash: z.string(), label: z.string().nullable(), source: z.string().nullable() })
      .describe('The entry of the list that it is near to.'),
    distance: z.int().describe('In how many of 256 bits the two differ.'),
    mirrored: z.boolean(),
    foundAt: moment,
    state: z.enum(states),
    note: z.string().nullable(),
    settledBy: z.string().nullable(),
    settledAt: moment.nullable(),
  }),
);
export const knownImagePage = pageOf('KnownImagePage', knownImage);

const filter = {
  state: z.enum(states).optional(),
  list: z.string().max(200).optional().describe('Only entries of this list.'),
};
export const knownImageQuery = z.strictObject({ ...paging, ...filter });
export const knownImageExportQuery = z.strictObject({ ...filter, format: z.enum(['json', 'csv']).default('json') });

export const knownImageSettlement = named(
  'KnownImageSettlement',
  z.strictObject({
    state: z.enum(states).exclude(['waiting']).describe('Reported to whom it concerns, or dismissed as another image.'),
    note: z.string().trim().min(1).max(2000).optional(),
    by: z.string().trim().min(1).max(100).optional().describe('Who decided; by default the reviewer of the key.'),
  }),
);
