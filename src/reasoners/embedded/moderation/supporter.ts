import { isObservation, type Question } from '../../../debate/index.ts';
import type { Brief, ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import { deliberate, type ModerationKit } from './deliberation.ts';
import { quoted } from '../phrase-arguments.ts';
import { wordSet } from '../../../text/index.ts';

/** The supporter: what the case is, in its own words, and what the retrieved precedents have in common with it. */
export async function supporterAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Brief> {
  const { modality, precedents } = await deliberate(question, kit);
  const text = question.caseFile.sources.find((source) => source.id === 'text')?.text;
  const described = question.caseFile.sources.find(
    (source) => isObservation(source) && ['vision', 'given'].includes(source.tool),
  )?.text;
  const words = [text, described].filter((part) => part !== undefined).join(' ');
  const own = contentWords(words);
  const opening = { text: 'A text', image: 'An image', 'text+image': 'A text with an image' }[modality];
  const decoded = question.caseFile.sources.filter((source) => isObservation(source) && source.of === 'text');
  const hidden = decoded.length > 0 ? ` Hidden in it: ${decoded.map((source) => quoted(source.text)).join(', ')}.` : '';
  const labels = new Set(precedents.map(({ label }) => label));
  return {
    summary: `${opening} that begins ${quoted(words.slice(0, 160))}.${hidden}`,
    cues: precedents.slice(0, 3).map(({ id, label, summary, cues, similarity }) => {
      const theirs = contentWords(summary);
      const shared = [...own].filter((word) => theirs.has(word)).slice(0, 4);
      const missing = [...theirs].filter((word) => !own.has(word)).slice(0, 4);
      return {
        precedent: id,
        cue: [
          `${label}, alike at ${similarity.toFixed(2)}`,
          shared.length > 0 && `shares ${shared.join(', ')}`,
          ...cues,
        ]
          .filter(Boolean)
          .join('; '),
        difference:
          missing.length > 0
            ? `this case does not mention ${missing.join(', ')}`
            : 'the same words, so look at intent and target',
      };
    }),
    patterns:
      precedents.length > 1 && labels.size === 1
        ? [`All ${precedents.length} alike cases were ${precedents[0]!.label}.`]
        : [],
  };
}

const common = wordSet(`
  about after also because been being between could does from have into just like make more most much only other over
  some such than that their them then there these they this those very want were what when where which while will with
  would your`);

function contentWords(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .match(/(?<![\p{L}'’])\p{L}{4,}(?![\p{L}'’])/gu)
      ?.filter((word) => !common.has(word)) ?? [],
  );
}
