import type { UnrecordedCase } from '../cases/cases.ts';
import { indexWords, makeExcerpt, makeFoundExcerpt, makeListedVerdict } from '../cases/listing.ts';
import { nameCaseLanguage } from '../cases/name-language.ts';
import { readVerdict } from '../cases/verdict-columns.ts';
import { toStorable, toStored } from '../database/stored-json.ts';
import { computeFirstStage } from '../reviews/review-stage.ts';
import { packRow, packText, readHash, readKnown } from './compact-row.ts';
import { answerPacker, listPackedTexts, readToldContext } from './pack-answer.ts';
import type { SharedParts } from './shared-parts.ts';

/** A case that fits in one row, but for the moment at which it is written. */
export type CompactCase = NonNullable<Awaited<ReturnType<ReturnType<typeof rowMaker>>>>;

/**
 * Makes cases one row each. Null where it has something that a row has no place for: files, a context that its answer
 * does not tell, a case that it holds again, somebody who is to review it, something that went wrong, or words that a
 * template would repeat.
 */
export function rowMaker(shared: SharedParts) {
  const packAnswer = answerPacker(shared);
  return (decided: UnrecordedCase) => makeRow(shared, packAnswer, decided);
}

async function makeRow(
  { findSetup }: SharedParts,
  packAnswer: ReturnType<typeof answerPacker>,
  { opened, answer, description }: UnrecordedCase,
) {
  const { subject, context, again, run = null } = opened;
  if (subject.attachments?.length || again || !/^sha256:[0-9a-f]{64}$/.test(subject.hash)) return null;
  const told = readToldContext(answer);
  if (told !== context && toStored(context) !== toStored(told)) return null;
  const { columns, marks } = readVerdict(answer, description);
  const listed = makeListedVerdict(columns, marks);
  const isClear = columns.degraded === 0 && computeFirstStage(listed) === null;
  if (!isClear || description.index.pictures?.length || makeFoundExcerpt(answer) !== null) return null;
  const texts = listPackedTexts(subject.content);
  const setup = await findSetup(opened);
  const found = {
    author: toStorable(context?.author ?? null),
    thread: toStorable(context?.thread ?? null),
    channel: toStorable(context?.channel ?? null),
  };
  const known = readKnown({ id: answer.id, ...listed, ...found }, subject.hash);
  const secrets = [...texts, ...listPackedTexts(context)];
  const parts = await packAnswer(answer, { setup, rule: columns.rule, known, texts, secrets });
  if (!parts) return null;
  const excerpt = makeExcerpt(subject.content);
  const content = toStored(subject.content);
  return {
    opened,
    answer,
    content,
    text: packText(content),
    subject: readHash(subject.hash),
    packed: packRow(answer.seal, parts.holes),
    setup,
    template: parts.template,
    listed: {
      id: opened.id,
      job: opened.job,
      run,
      language: toStorable(context?.language ?? (await nameCaseLanguage(excerpt))),
      ...found,
      ...indexWords(excerpt.toLowerCase()),
      ...listed,
    },
  };
}
