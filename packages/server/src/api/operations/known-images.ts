import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** The restricted queue has a scope of its own. */
export const knownImages = [
  operation('knownImages.list', 'get', '/api/known-images', 'care', {
    summary: 'Known images that came in, the newest first',
    description: 'Hashes, lists and cases. The images themselves are neither kept nor shown.',
    query: schemas.knownImageQuery,
    answers: { status: 200, schema: schemas.knownImagePage, description: 'A page of the restricted queue.' },
  }),
  operation('knownImages.export', 'get', '/api/known-images/export', 'care', {
    summary: 'The restricted queue as a report',
    query: schemas.knownImageExportQuery,
    answers: {
      status: 200,
      media: ['application/json', 'text/csv'],
      description: 'Every entry, with its list and its case, and without an image.',
    },
  }),
  operation('knownImages.settle', 'post', '/api/known-images/{id}/settlement', 'care', {
    summary: 'Record what became of a known image',
    body: schemas.knownImageSettlement,
    answers: { status: 200, schema: schemas.knownImage, description: 'The entry.' },
    example: { state: 'reported', note: 'Report 4711 of the hotline.' },
  }),
] as const;
