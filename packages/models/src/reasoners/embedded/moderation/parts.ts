import {
  describesImage,
  isObservation,
  isTranscript,
  type CaseFile,
  type Question,
  type RoleKey,
  type Precedent,
} from '@agonhq/engine/debate';
import { moderationRoles, type Brief, type Modality, type ModerationCaseFile } from '@agonhq/judges/moderation';
import { lessonSchema } from '../../../precedents/lesson.ts';
import { routeContent } from '../language/route-language.ts';
import { curatorAnswer } from '../learning/curator.ts';
import type { EmbeddedPart } from '../part.ts';
import type { PolicyReader } from '../policy/policy-reader.ts';
import type { Weights } from '../weights.ts';
import { arbitrateContent } from './arbiter.ts';
import { looseAnswer, strictAnswer } from './debaters.ts';
import { deliberateOnContent, type ModerationKit } from './deliberation.ts';
import { judgeReadContent } from './judge.ts';
import { joinWithAnd } from '@agonhq/engine/text';
import { endSentence, findSpeechAct, quoted } from '../phrase-arguments.ts';
import { describeLikeness, missingWords, sharedWords } from '../phrase-precedents.ts';

/** What somebody says in another language is not judged; nobody judges a brief. */
const anyLanguage = async () => null;

export function moderationParts(policy: PolicyReader, weights: Weights, firstPassBelow: number | null): EmbeddedPart[] {
  const { supporter, strictDebater, looseDebater, arbiter, judge } = moderationRoles;
  const findLanguage = async (caseFile: CaseFile) => (await routeContent(caseFile)).unjudged;
  function part<Answer, Case extends CaseFile>(
    role: RoleKey<Answer>,
    answer: (question: Question<Case>, kit: ModerationKit) => Promise<Answer>,
  ): EmbeddedPart<Answer, Case> {
    const argue = async (question: Question<Case>, signal: AbortSignal) =>
      answer(question, {
        guard: await (await routeContent(question.caseFile)).open(),
        weights,
        clauses: policy.clauses,
        policy,
        firstPassBelow,
        signal,
      });
    return { role, argue, findLanguage };
  }
  return [
    { ...part(supporter, supporterAnswer), findLanguage: anyLanguage },
    part(strictDebater, strictAnswer),
    part(looseDebater, looseAnswer),
    { ...part(arbiter, arbitrateContent), decides: true },
    { ...part(judge, judgeReadContent), decides: true },
    part({ id: 'curator', schema: lessonSchema }, curatorAnswer),
  ];
}

/** The supporter: what the case is, in its own words, and what the retrieved precedents have in common with it. */
async function supporterAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Brief> {
  const { modality, precedents } = await deliberateOnContent(question, kit);
  const { sources } = question.caseFile;
  const text = sources.find((source) => source.id === 'text')?.text;
  const spoken = sources.find(isTranscript)?.text;
  const described = sources.find(describesImage)?.text;
  const own = [text, spoken, described].filter((part) => part !== undefined && part.trim() !== '');
  // Where nobody says what an image shows, it is what stands in it.
  const read = sources.filter((source) => isObservation(source) && source.tool === 'ocr').map((source) => source.text);
  const words = (own.length > 0 ? own : read).join(' ');
  const decoded = sources.filter((source) => isObservation(source) && source.of === 'text');
  const hidden =
    decoded.length > 0
      ? endSentence(` Hidden in it: ${joinWithAnd(decoded.map((source) => quoted(source.text)))}`)
      : '';
  return {
    summary: `${summarize(introduce(modality, text, spoken), words)}${hidden}`,
    cues: precedents.slice(0, 3).map((precedent) => ({ precedent: precedent.id, ...compare(precedent, words) })),
    patterns: findPattern(precedents),
  };
}

function summarize(introduction: string, words: string): string {
  if (words.trim() === '') return `${introduction.replace(/:$/, '')} of which nothing could be read.`;
  return endSentence(`${introduction} ${quoted(words.slice(0, 160))}`);
}

function introduce(modality: Modality, text: string | undefined, spoken: string | undefined): string {
  if (text === undefined && spoken !== undefined)
    return modality === 'text' ? 'Somebody says:' : 'A film in which somebody says:';
  if (modality === 'image') return 'An image:';
  if (modality === 'text+image') return 'A text with an image:';
  const act = findSpeechAct(text ?? '');
  return { request: 'Somebody asks:', address: 'Somebody writes to another:', account: 'A text that begins' }[act];
}

function compare(precedent: Precedent, words: string): Omit<Brief['cues'][number], 'precedent'> {
  const { label, summary, cues } = precedent;
  const shared = sharedWords(words, summary).slice(0, 4);
  const missing = missingWords(words, summary).slice(0, 4);
  const common = shared.length > 0 ? `: both speak of ${joinWithAnd(shared)}` : '';
  const counted = cues.length > 0 ? `. What counted: ${cues.join('; ')}` : '';
  return {
    cue: `${describeLikeness(precedent)} and ${label}${common}${counted}`,
    difference:
      missing.length > 0
        ? `nothing is said here of ${joinWithAnd(missing)}`
        : 'the words are the same, so it comes down to intent and target',
  };
}

function findPattern(precedents: readonly Precedent[]): string[] {
  const [first] = precedents;
  if (!first || precedents.length < 2 || precedents.some(({ label }) => label !== first.label)) return [];
  return [`Every one of the ${precedents.length} cases like this was decided ${first.label}.`];
}
