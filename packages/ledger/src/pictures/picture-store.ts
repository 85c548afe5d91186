import type { Fingerprint } from '@agonhq/engine/fingerprint';
import type { CaseIndex } from '@agonhq/engine/debate';
import type { Database, Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import type { Tables } from '../schema/tables.ts';

/** An image of a case, by what stands for its pixels. */
export interface CasePicture extends Fingerprint {
  case: string;
  image: string;
}

/** What stands for the pixels of judged images: forgotten with their cases. */
export interface Pictures {
  /** Of all cases, some at a time. */
  listPictures(): AsyncIterable<readonly CasePicture[]>;
  findPictures(caseId: string): Promise<readonly CasePicture[]>;
}

const atOnce = 5_000;

export function pictureStore({ db }: Database): Pictures {
  const select = () => db.selectFrom('pictures').select(['debate', 'image', 'pdq', 'quality', 'crops']);
  return {
    async *listPictures() {
      for (let after: [string, string] = ['', '']; ;) {
        const rows = await select()
          .where(({ eb, refTuple, tuple }) => eb(refTuple('debate', 'image'), '>', tuple(...after)))
          .orderBy('debate')
          .orderBy('image')
          .limit(atOnce)
          .execute();
        if (rows.length === 0) return;
        yield rows.map(readPicture);
        after = [rows.at(-1)!.debate, rows.at(-1)!.image];
      }
    },
    async findPictures(caseId) {
      return (await select().where('debate', '=', caseId).orderBy('image').execute()).map(readPicture);
    },
  };
}

function readPicture({ debate, image, pdq, quality, crops }: Tables['pictures']): CasePicture {
  return { case: debate, image, pdq, quality, crops: crops === '' ? [] : crops.split(' ') };
}

/** Unless the case was forgotten meanwhile. */
export async function keepPictures(trx: Trx, id: string, pictures: NonNullable<CaseIndex['pictures']>): Promise<void> {
  const kept = trx.selectFrom('debates').select('id').where('id', '=', id);
  if (!(await kept.where('forgotten_at', 'is', null).executeTakeFirst())) return;
  for (const { image, pdq, quality, crops = [] } of pictures)
    await putRow(trx, 'pictures', { debate: id, image }, { pdq, quality, crops: crops.join(' ') });
}
