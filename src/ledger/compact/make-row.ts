import type { JobAnswer } from '../../jobs/index.ts';
import type { OpenedCase } from '../cases/cases.ts';
import { indexWords, makeExcerpt, makeFoundExcerpt, makeListedVerdict } from '../cases/listing.ts';
import { nameLanguage } from '../cases/name-language.ts';
import { readVerdictColumns, readVerdictMarks } from '../cases/verdict-columns.ts';
import { toStored } from '../database/stored-json.ts';
import { picturesOf } from '../pictures/picture-store.ts';
import { computeFirstStage } from '../reviews/review-stage.ts';
import { packRow, packText, readHash, readKnown } from './compact-row.ts';
import { listTexts, packAnswer } from './pack-answer.ts';
import type { sharedParts } from './shared-parts.ts';

type SharedParts = ReturnType<typeof sharedParts>;

/** A case that fits in one row, but for the moment at which it is written. */
export type CompactCase = NonNullable<Awaited<ReturnType<typeof makeCompactCase>>>;

/**
 * Makes a case one row. Null where it has something that a row has no place for: files, a context, a case that it holds
 * again, somebody who is to review it, something that went wrong, or words that a template would repeat.
 */
export async function makeCompactCase(shared: SharedParts, opened: OpenedCase, answer: JobAnswer) {
  const { subject, context, again, run = null } = opened;
  if (subject.attachments?.length || context || again || !/^sha256:[0-9a-f]{64}$/.test(subject.hash)) return null;
  const columns = readVerdictColumns(answer);
  const listed = makeListedVerdict(columns, readVerdictMarks(answer));
  const isClear = columns.degraded === 0 && computeFirstStage(answer.job, listed) === null;
  if (!isClear || picturesOf(answer).length > 0 || makeFoundExcerpt(answer) !== null) return null;
  const texts = listTexts(subject.content);
  const setup = await shared.findSetup(opened);
  const known = readKnown({ id: answer.id, ...listed }, subject.hash);
  const { template: body, holes } = packAnswer(answer, known, texts, setup.rules);
  const template = await shared.findTemplate(body, columns.rule, texts);
  if (!template) return null;
  const excerpt = makeExcerpt(subject.content);
  const content = toStored(subject.content);
  return {
    opened,
    answer,
    content,
    text: packText(content),
    subject: readHash(subject.hash),
    packed: packRow(answer.seal, holes),
    setup,
    template,
    listed: {
      id: opened.id,
      job: opened.job,
      run,
      language: await nameLanguage(excerpt),
      ...indexWords(excerpt.toLowerCase()),
      ...listed,
    },
  };
}
