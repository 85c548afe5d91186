import {
  answerVersion,
  conduct,
  createFence,
  findRetrieval,
  findValue,
  sealAnswer,
  sumUsage,
  type DebateEvent,
  type Calibration,
  type KnownImage,
  type PrecedentLibrary,
  type Reasoner,
  type Transcript,
  type Turn,
  type Unseen,
} from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { MediaLimits } from '../job/job-kit.ts';
import { listPeople } from '@agonhq/engine/personal-data';
import { renderPolicy } from '@agonhq/engine/policy';
import { adjudicationStep } from './adjudicate.ts';
import { isUnseen, type ModerationCase, type ModerationCaseFile } from './case-file.ts';
import { modalityOf, readContent, type Content } from './content.ts';
import type { ModerationAnswer, ModerationProvenance, ModerationSubject } from './moderation-answer.ts';
import { listedImage, withholdContent } from './known-images.ts';
import { describeContext, listQuotable, recordContext } from '../job/shown-context.ts';
import type { JudgeOptions, PolicyTrialSetup } from '../job/job-trial.ts';
import { openImages, type OpenedImage } from './open-images.ts';
import type { DebatePlan } from './plan.ts';
import { assertVision, isAskedToLook, preprocess, type ModerationTools } from './preprocess.ts';
import { openRecordings, type OpenedRecording } from './recordings.ts';
import { knownImageProtocol, moderationProtocol, unseenProtocol, type ModerationReasoners } from './protocol.ts';
import type { ObservationsSetting } from './settings.ts';
import { buildModerationProvenance, listShownShots } from './provenance.ts';
import { renderShots, type Shot } from './roles/judges.ts';

/** What happens while content is judged: the debate's events, and the case file once it is ready. */
export type ModerationEvent =
  | DebateEvent
  | { type: 'case-ready'; debate: string; scope: null; caseFile: ModerationCaseFile; calibration?: Calibration };

/** Everything that moderation is handed at the edge. */
export interface ModerationSetup extends PolicyTrialSetup {
  plan: DebatePlan;
  reasoners: ModerationReasoners;
  /** Decided cases that the method `judge` shows its judge; the other methods show none. */
  shots?: readonly Shot[];
  /** Who describes images; null when vision is off. */
  vision: Reasoner | null;
  /** The model that would, did the settings not keep images from it. */
  withheldFrom?: string | null;
  ocr: boolean;
  /** When the embedded image models say what they see. */
  observations: ObservationsSetting;
  /** What may be taken from recordings, and who writes down what is said: null for the best part that is there. */
  media: MediaLimits;
  transcription: string | null;
  tools: ModerationTools;
  library: PrecedentLibrary | null;
}

export interface ModerateOptions extends JudgeOptions {
  /**
   * What the method `control` may spend, the descriptions of images included: the tokens of the debate it is held
   * against.
   */
  tokens?: number;
  /** Precedents that this trial must not see: those of the data set it is scored on, or some by id. */
  unseen?: Unseen;
}

/** Judges one piece of content: yields the trial as it unfolds, returns the answer. */
export async function* moderation(
  input: string | Content,
  setup: ModerationSetup,
  options: ModerateOptions = {},
): AsyncGenerator<ModerationEvent, ModerationAnswer, void> {
  const started = performance.now();
  const content = readContent(input, setup);
  const { signal } = options;
  const hasRecordings = Boolean(content.audio?.length || content.video?.length);
  const recordings = hasRecordings ? await openRecordings(content, { ...setup, ...(signal ? { signal } : {}) }) : [];
  const given = content.images ? await openImages(content.images, setup.tools) : [];
  const images = [...given, ...recordings.flatMap(({ frames }) => frames)];
  const known = await findKnown(images, recordings, setup.tools);
  const isWithheld = known.length > 0;
  if (setup.vision && !isWithheld && images.some((image) => 'attachment' in image)) assertVision(setup.vision);
  const isHeard = setup.transcription !== 'none' && recordings.some(({ sound }) => sound.length > 0);
  const speechModel = isHeard && !isWithheld ? await setup.tools.openSpeechModel(setup.transcription) : null;

  const subject: ModerationSubject = {
    id: content.id ?? null,
    hash: hashSubject(
      content.text,
      given.map((opened) => ('given' in opened ? opened.given : opened.image.hash!)),
      recordings.map(({ recording }) => recording.hash),
    ),
    modality: modalityOf(content),
    images: images.map(({ image }) => image),
    ...(recordings.length > 0 ? { recordings: recordings.map(({ recording }) => recording) } : {}),
    ...recordContext(content.context, setup.context),
  };
  const isLookedAt = !isWithheld && isAskedToLook(setup) && images.some((image) => 'pixels' in image);
  const imageModels = isLookedAt ? await setup.tools.digestImageModels() : undefined;
  const provenance: ModerationProvenance = {
    ...buildModerationProvenance(setup),
    ...(imageModels === undefined ? {} : { imageModels }),
    ...(speechModel ? { speechModel: { id: speechModel.id, digest: speechModel.digest } } : {}),
  };
  const { ffmpeg: _, ...taken } = setup.media;
  const heard = recordings.length > 0 ? { speechModel: speechModel?.digest ?? null, ...taken } : undefined;
  const isFromBefore = images.some((opened) => 'known' in opened);
  const listed = isWithheld ? { known: known.map(listedImage), ...(isFromBefore ? { isFromBefore } : {}) } : undefined;
  const calibration = provenance.calibration ?? null;
  const { context } = content;
  const isAskedAnew = options.statement !== undefined || options.unseen !== undefined;
  const past = isAskedAnew ? null : ((await setup.recorder?.findCorrection?.(subject.hash)) ?? null);
  // The same by another author, or elsewhere, is another case.
  const surroundings = [
    options.unseen,
    options.statement,
    imageModels && { imageModels },
    heard,
    listed,
    context && { context },
    past && { past },
  ].filter((part) => part !== undefined && part !== null);
  const debate =
    options.debate ?? `mod-${hashOf([subject.hash, provenance.configuration, ...surroundings]).slice(7, 23)}`;
  const conditions = { debate, journal: setup.journal, signal, stream: options.stream };

  const standing = await setup.recorder?.openCase({
    id: debate,
    configuration: provenance.configuration,
    ...(context ? { context } : {}),
    subject: {
      hash: subject.hash,
      ...(isWithheld ? { content: toWithheld(content, subject) } : toRecord(content, images, recordings)),
    },
  });
  if (standing) return standing as ModerationAnswer;
  if (isWithheld)
    await setup.recorder?.withholdImages?.({ case: debate, item: subject.id, known, ...listFiles(subject) });
  const { caseFile, turns } = isWithheld
    ? { caseFile: withholdContent(content, subject.images), turns: [] }
    : yield* preprocess(content, images, {
        ...conditions,
        tools: setup.tools,
        vision: setup.vision,
        withheldFrom: setup.withheldFrom ?? null,
        ocr: setup.ocr,
        observations: setup.observations,
        recordings,
        speechModel,
        statement: options.statement,
        context: listQuotable(content.context, setup.context),
      });
  yield { type: 'case-ready', debate, scope: null, caseFile, ...(calibration ? { calibration } : {}) };
  const people = context ? listPeople(context) : [];
  const shots = listShownShots(setup);
  const judgedCase: ModerationCase = {
    ...caseFile,
    policy: renderPolicy(setup.policy),
    examples: shots.length > 0 ? renderShots(shots, setup.secret) : '',
    ...(isWithheld ? {} : { context: describeContext(content.context, setup.context) }),
    ...(people.length > 0 ? { people } : {}),
  };
  const parts = {
    ...setup,
    calibration,
    past,
    subject: subject.hash,
    unseen: options.unseen ?? {},
    tokens: options.tokens === undefined ? undefined : options.tokens - countTokens(turns),
  };
  const protocol = isWithheld
    ? knownImageProtocol(parts, known.map(listedImage))
    : isUnseen(caseFile)
      ? unseenProtocol(parts)
      : moderationProtocol(parts);
  const fence = createFence(judgedCase, setup.secret);
  const transcript = yield* conduct(protocol, judgedCase, { ...conditions, fence });

  const answer: ModerationAnswer = sealAnswer({
    version: answerVersion,
    id: debate,
    job: 'moderation' as const,
    subject: { ...subject, images: [...caseFile.images] },
    sources: caseFile.sources,
    verdict: findValue(transcript, adjudicationStep)!,
    transcript: [...turns, ...transcript],
    ...readPrecedents(transcript),
    usage: sumUsage([...turns, ...transcript], Math.round(performance.now() - started)),
    provenance,
  });
  return (await setup.recorder?.closeCase(answer)) ?? answer;
}

/** Which images are on a list, now or when their file came before; each with the file that it is in. */
async function findKnown(
  images: readonly OpenedImage[],
  recordings: readonly OpenedRecording[],
  { findKnownImages }: Pick<ModerationTools, 'findKnownImages'>,
): Promise<KnownImage[]> {
  if (images.length === 0) return [];
  const found = await findKnownImages(
    images.flatMap(({ image: { id, fingerprint } }) => (fingerprint ? [{ id, fingerprint }] : [])),
  );
  const before = images.flatMap((opened) => ('known' in opened ? opened.known : []));
  const fileOf = (id: string) => {
    const image = images.find((opened) => opened.image.id === id)?.image;
    const film = recordings.find(({ recording }) => recording.id === image?.frame?.of);
    return (film ? film.recording.hash : image?.hash) ?? null;
  };
  return [...found, ...before].map((one) => ({ ...one, file: fileOf(one.image) }));
}

/** The files of a subject, by hash. */
function listFiles({ images, recordings = [] }: ModerationSubject): { files: string[] } {
  return { files: [...images, ...recordings].flatMap(({ hash }) => hash ?? []) };
}

/** Content of which no bytes are kept: it cannot be judged again. */
function toWithheld({ id, text }: Content, subject: ModerationSubject) {
  return {
    ...(id === undefined ? {} : { id }),
    ...(text === undefined ? {} : { text }),
    withheld: listFiles(subject).files,
  };
}

/** The content as it can be judged again: images and recordings by hash, their bytes and those of frames beside. */
function toRecord(given: Content, images: readonly OpenedImage[], recordings: readonly OpenedRecording[]) {
  // What is known about it belongs to the case, not to the content.
  const { context: _, ...content } = given;
  const kept = images
    .filter(({ image }) => image.frame === undefined)
    .map((opened) => ('given' in opened ? { description: opened.given } : { attachment: opened.image.hash! }));
  const keep = (kind: 'audio' | 'video') => {
    const hashes = recordings.filter(({ recording }) => recording.kind === kind);
    return hashes.length > 0 ? { [kind]: hashes.map(({ recording: { hash } }) => ({ attachment: hash })) } : {};
  };
  const attachments = [
    ...images.flatMap((opened) =>
      'bytes' in opened ? [{ hash: opened.image.hash!, mediaType: opened.image.mediaType!, data: opened.bytes }] : [],
    ),
    ...recordings.map(({ recording: { hash, mediaType }, bytes }) => ({ hash, mediaType, data: bytes })),
  ];
  return {
    content: { ...content, ...(content.images ? { images: kept } : {}), ...keep('audio'), ...keep('video') },
    attachments,
  };
}

/**
 * What stands for the content, whatever file it came from: its text and its images, each image by hash or given
 * description, and its recordings by hash.
 */
export function hashSubject(
  text: string | undefined,
  images: readonly string[],
  recordings: readonly string[] = [],
): string {
  return hashOf({ text: text ?? null, images, ...(recordings.length > 0 ? { recordings } : {}) });
}

function countTokens(turns: readonly Turn[]): number {
  return turns.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
}

function readPrecedents(transcript: Transcript): Pick<ModerationAnswer, 'precedents' | 'retrieval'> {
  const { precedents = [], ...retrieval } = findRetrieval(transcript) ?? {};
  return { precedents, ...('library' in retrieval ? { retrieval } : {}) };
}
