import type { UnrecordedCase } from '../cases/cases.ts';
import { indexWords, makeExcerpt, makeFoundExcerpt, makeListedVerdict, nameCaseLanguage } from '../cases/listing.ts';
import { readVerdict } from '../cases/verdict-columns.ts';
import type { Database } from '../database/database.ts';
import { toStorable } from '../database/stored-json.ts';
import { computeFirstStage } from '../reviews/review-stage.ts';
import { casePacker, type CasePacker } from './keep-setup.ts';
import { isHash, readHash } from './subjects.ts';

/** A case that fits in one row, but for the moment at which it is written. */
export type CompactCase = NonNullable<Awaited<ReturnType<typeof makeRow>>>;

/**
 * Makes cases one row each. Null where it has something that a row has no place for: files, a case that it holds again,
 * somebody who is to review it, or something that went wrong.
 */
export function rowMaker(database: Database): (decided: UnrecordedCase) => Promise<CompactCase | null> {
  const packCase = casePacker(database);
  return (decided) => makeRow(packCase, decided);
}

async function makeRow(packCase: CasePacker, decided: UnrecordedCase) {
  const { opened, answer, description } = decided;
  const { subject, context, again, run = null } = opened;
  if (subject.attachments?.length || again || !isHash(subject.hash)) return null;
  const { columns, marks } = readVerdict(answer, description);
  const listed = makeListedVerdict(columns, marks);
  const isClear = columns.degraded === 0 && computeFirstStage(listed) === null;
  if (!isClear || description.index.pictures?.length || makeFoundExcerpt(answer) !== null) return null;
  const { setup, packed } = await packCase(decided, columns.rule);
  const excerpt = makeExcerpt(subject.content);
  return {
    setup: setup.hash,
    listed: {
      id: opened.id,
      job: opened.job,
      run,
      language: toStorable(context?.language ?? (await nameCaseLanguage(excerpt))),
      author: toStorable(context?.author ?? null),
      thread: toStorable(context?.thread ?? null),
      channel: toStorable(context?.channel ?? null),
      ...indexWords(excerpt.toLowerCase()),
      ...listed,
      setup: setup.id,
      subject: readHash(subject.hash),
      packed,
    },
  };
}
