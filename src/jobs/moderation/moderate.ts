import {
  answerVersion,
  findValue,
  conduct,
  requireCurve,
  findRetrieval,
  sealAnswer,
  sumUsage,
  type Answer,
  type Calibration,
  type DebateEvent,
  type CaseRecorder,
  type FittedCalibration,
  type Journal,
  type PrecedentLibrary,
  type Provenance,
  type Reasoner,
  type SafetyLabel,
  type Transcript,
  type Turn,
  type Unseen,
} from '../../debate/index.ts';
import { hashOf } from '../../hash.ts';
import { renderPolicy, type Policy } from '../../policy/index.ts';
import { adjudicationStep } from './adjudicate.ts';
import { unseenImages, type ModerationCaseFile } from './case-file.ts';
import { modalityOf, readContent, type Content } from './content.ts';
import { describePlan, methodOf, type DebatePlan, type ModerationMethod } from './plan.ts';
import { assertVision, openImages, preprocess, type OpenedImage } from './preprocess.ts';
import { promptsHash } from './prompts-hash.ts';
import { moderationProtocol, unseenProtocol, type ProtocolParts } from './protocol.ts';
import { seatingOf, type ModerationReasoners } from './seating.ts';
import type { Shot } from './shots.ts';
import type { ModerationSubject } from './subject.ts';
import type { ModerationTools } from './tools.ts';

/** With the method, where it is not the debate: the rules that decided are told by it. */
export interface ModerationProvenance extends Provenance {
  method?: Exclude<ModerationMethod, 'debate'>;
}

export type ModerationAnswer = Omit<Answer<ModerationSubject, SafetyLabel>, 'provenance'> & {
  provenance: ModerationProvenance;
};

/** What happens while content is judged: the debate's events, and the case file once it is ready. */
export type ModerationEvent =
  | DebateEvent
  | { type: 'case-ready'; debate: string; scope: null; caseFile: ModerationCaseFile };

/** Everything that moderation is handed at the edge. */
export interface ModerationSetup {
  policy: Policy;
  plan: DebatePlan;
  reasoners: ModerationReasoners;
  /** Decided cases that the method `judge` shows its judge; the other methods show none. */
  shots?: readonly Shot[];
  /** Who describes images; null when vision is off. */
  vision: Reasoner | null;
  ocr: boolean;
  tools: ModerationTools;
  library: PrecedentLibrary | null;
  /** What makes a probability of the score; null while the configuration is not calibrated. */
  calibration: FittedCalibration | null;
  journal: Journal;
  /** Who is told of the case; nobody when absent. */
  recorder?: CaseRecorder;
  /** The installation's secret, for the fence around untrusted content. */
  secret: string;
  maxCharacters: number;
  /** Agon's own version, for the record. */
  version: string;
}

export interface ModerateOptions {
  signal?: AbortSignal;
  /** Ask for `turn-delta` events. */
  stream?: boolean;
  /**
   * The debate's id; by default it follows from content and configuration, so that the same case is the same debate.
   */
  debate?: string;
  /**
   * What the method `control` may spend, the descriptions of images included: the tokens of the debate it is held
   * against.
   */
  tokens?: number;
  /** What the person concerned says for themselves, in an appeal. */
  statement?: string;
  /** Precedents that this trial must not see: those of the data set it is scored on, or some by id. */
  unseen?: Unseen;
  /** Precedents that this trial must not see, by id. */
  withoutPrecedents?: readonly string[];
}

/** Judges one piece of content: yields the trial as it unfolds, returns the answer. */
export async function* moderation(
  input: string | Content,
  setup: ModerationSetup,
  options: ModerateOptions = {},
): AsyncGenerator<ModerationEvent, ModerationAnswer, void> {
  const started = performance.now();
  const content = readContent(input, setup);
  const images = await openImages(content, setup.tools);
  if (setup.vision && images.some((image) => 'attachment' in image)) assertVision(setup.vision);

  const subject: ModerationSubject = {
    id: content.id ?? null,
    hash: subjectHash(
      content.text,
      images.map((opened) => ('given' in opened ? opened.given : opened.image.hash!)),
    ),
    modality: modalityOf(content),
    images: images.map(({ image }) => image),
  };
  const provenance = provenanceOf(setup);
  const calibration = provenance.calibration ?? null;
  const peculiar = [options.unseen, options.statement].filter((part) => part !== undefined);
  const debate = options.debate ?? `mod-${hashOf([subject.hash, provenance.configuration, ...peculiar]).slice(7, 23)}`;
  const conditions = { debate, journal: setup.journal, signal: options.signal, stream: options.stream };

  await setup.recorder?.openCase({
    id: debate,
    configuration: provenance.configuration,
    subject: { hash: subject.hash, ...recordOf(content, images) },
  });
  const { caseFile, turns } = yield* preprocess(content, images, {
    ...conditions,
    tools: setup.tools,
    vision: setup.vision,
    ocr: setup.ocr,
    statement: options.statement,
  });
  yield { type: 'case-ready', debate, scope: null, caseFile };
  const tokens = options.tokens === undefined ? undefined : options.tokens - tokensOf(turns);
  const protocol = protocolFor(caseFile, {
    ...setup,
    calibration,
    subject: subject.hash,
    unseen: options.unseen ?? {},
    tokens,
  });
  const transcript = yield* conduct(protocol, caseFile, conditions);

  const answer = sealAnswer({
    version: answerVersion,
    id: debate,
    job: 'moderation',
    subject,
    sources: caseFile.sources,
    verdict: findValue(transcript, adjudicationStep)!,
    transcript: [...turns, ...transcript],
    ...precedentsOf(transcript),
    usage: sumUsage([...turns, ...transcript], Math.round(performance.now() - started)),
    provenance,
  });
  await setup.recorder?.closeCase(answer);
  return answer;
}

/** The content as it can be judged again: images by hash, their bytes beside. */
function recordOf(content: Content, images: readonly OpenedImage[]) {
  const kept = images.map((opened) =>
    'given' in opened ? { description: opened.given } : { attachment: opened.image.hash! },
  );
  const attachments = images.flatMap((opened) =>
    'given' in opened ? [] : [{ hash: opened.image.hash!, mediaType: opened.image.mediaType!, data: opened.bytes }],
  );
  return { content: { ...content, ...(content.images ? { images: kept } : {}) }, attachments };
}

/**
 * What stands for the content, whatever file it came from: its text and its images, each image by hash or given
 * description.
 */
export function subjectHash(text: string | undefined, images: readonly string[]): string {
  return hashOf({ text: text ?? null, images });
}

function tokensOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
}

function precedentsOf(transcript: Transcript): Pick<ModerationAnswer, 'precedents' | 'retrieval'> {
  const { precedents = [], ...retrieval } = findRetrieval(transcript) ?? {};
  return { precedents, ...('library' in retrieval ? { retrieval } : {}) };
}

type ProtocolSetup = Omit<ModerationSetup, 'calibration'> &
  Pick<ProtocolParts, 'calibration' | 'subject' | 'unseen' | 'tokens'>;

function protocolFor(caseFile: ModerationCaseFile, setup: ProtocolSetup) {
  const nothingSeen = caseFile.modality === 'image' && unseenImages(caseFile).length === caseFile.images.length;
  if (nothingSeen) return unseenProtocol(setup);
  return moderationProtocol({
    ...setup,
    context: { policy: renderPolicy(setup.policy), secret: setup.secret, shots: shotsShown(setup) },
  });
}

/** What every answer of a setup says it was made by; refuses a calibration that was fitted on something else. */
export function provenanceOf(setup: ModerationSetup): ModerationProvenance {
  const { policy, plan, vision, ocr } = setup;
  const seats = seatingOf(plan, setup.reasoners);
  const shots = shotsShown(setup);
  const prompts = promptsHash(plan, shots);
  const precedents = (methodOf(plan) === 'debate' ? setup.library?.version : null) ?? null;
  const fingerprints = Object.fromEntries(seats.map(({ id, reasoner }) => [id, reasoner.fingerprint]));
  const made = { plan, policy: policy.hash, prompts, fingerprints, vision: vision?.fingerprint ?? null, ocr };
  const { configuration, setupHash } = hashesOf(made, precedents);
  return {
    agon: setup.version,
    protocol: describePlan(plan, shots.length),
    ...(plan.method ? { method: plan.method } : {}),
    policy: { name: policy.name, version: policy.version, hash: policy.hash },
    prompts,
    models: Object.fromEntries([
      ...(vision ? [['preprocessor', vision.id]] : []),
      ...seats.map(({ id, reasoner }) => [id, reasoner.id]),
    ]),
    precedents,
    configuration,
    setup: setupHash,
    ...calibrationFor(setupHash, setup),
  };
}

function shotsShown({ plan, shots = [] }: Pick<ModerationSetup, 'plan' | 'shots'>): readonly Shot[] {
  return plan.method === 'judge' ? shots : [];
}

interface MadeBy {
  plan: DebatePlan;
  policy: string;
  prompts: string;
  fingerprints: Record<string, string>;
  vision: string | null;
  ocr: boolean;
}

/** Every item has a setup of its own, and nearly all of them are made of the same. */
function hashesOf(made: MadeBy, library: string | null) {
  const parts = [
    made.policy,
    made.prompts,
    made.vision,
    made.ocr,
    library,
    ...Object.entries(made.fingerprints).flat(),
  ];
  const last = lastHashes.get(made.plan);
  if (last?.parts.length === parts.length && last.parts.every((part, index) => part === parts[index])) return last;
  const hashes = { parts, configuration: hashOf({ ...made, library }), setupHash: hashOf(made) };
  lastHashes.set(made.plan, hashes);
  return hashes;
}

const lastHashes = new WeakMap<DebatePlan, { parts: readonly unknown[]; configuration: string; setupHash: string }>();

/** The calibration that was set; else the one that the seat which gives the score brings along. */
function calibrationFor(
  setupHash: string,
  { calibration, plan, reasoners }: ModerationSetup,
): { calibration?: Calibration } {
  if (calibration) return { calibration: requireCurve(setupHash, calibration) };
  const scorer = { debate: reasoners.arbiter, judge: reasoners.judge }[methodOf(plan) as string];
  const own = scorer?.calibrations?.['moderation'];
  return own ? { calibration: own } : {};
}
