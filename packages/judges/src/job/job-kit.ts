import type {
  CaseRecorder,
  FittedCalibration,
  Journal,
  Mark,
  Observation,
  PrecedentLibrary,
  Reasoner,
  KnownImage,
} from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import type { Fingerprint } from '@agonhq/engine/fingerprint';
import type { Policy } from '@agonhq/engine/policy';
import type { KnownCorrections } from './correction.ts';

/** What `createAgon` hands to a job. */
export interface JobKit {
  /** The job's own block of the settings. */
  settings: Readonly<Record<string, unknown>>;
  policy: Policy;
  seats: KitSeats;
  tools: KitTools;
  /** The precedents it may draw on; null when nobody would. */
  library: PrecedentLibrary | null;
  /** What people corrected in its answers, as it stands at this moment. */
  readCorrections(): Promise<KnownCorrections>;
  /** The calibration that was set, when it was fitted on this job. */
  calibration: FittedCalibration | null;
  /** What `fitted` loaded, or what the caller handed in; null for none. */
  fitted: unknown;
  /** The installation's secret, for the fence around untrusted content. */
  secret: string;
  /** Agon's own version, for the record. */
  version: string;
  /** Whether cases are kept. */
  recorded: boolean;
  /** What one subject is judged with: its own budget, journal and recorder. */
  forSubject(): SubjectKit;
}

/** Who sits where, before anybody is asked. */
export interface KitSeats {
  /** The model of a seat as the settings name it; null when they name none. */
  modelOf(seat: string): string | null;
  /** The model named for this very seat, not for one that stands in for it. */
  named(seat: string): string | null;
  /** A reasoner of the caller's own. */
  given(seat: string): Reasoner | undefined;
  /** Refuses seats without a model, and models that cannot be called. Returns the models of those not `given`. */
  require(seats: readonly string[]): ReadonlyMap<string, string>;
  /** Refuses models that cannot be called. */
  check(models: readonly string[]): void;
  /** Whether this model is Agon's own. */
  isEmbedded(model: string | null): boolean;
  /** Whether this model can look at images. */
  canSee(model: string): boolean;
  /** Whether it could, did the settings not keep images from it. */
  maySee(model: string): boolean;
  /** How many seats of a role the settings name models for. */
  agents(roles: readonly string[]): number;
}

export interface SubjectKit {
  /** The reasoner in a seat that was required. */
  reasonerFor(seat: string): Reasoner;
  reasonerOf(model: string): Reasoner;
  journal: Journal;
  /** Who is told of the case; nobody when absent. */
  recorder?: CaseRecorder;
}

/** What reads a subject beside the seats. */
export interface KitTools {
  /** What an encoded or disguised text says, and which passages of the content's own remain unreadable. */
  deobfuscate(source: Source | Observation): Observation[];
  /** Passages that speak to the judges instead of being judged. */
  findInjections(source: Source): Observation[];
  loadImage(file: string): Promise<Uint8Array>;
  inspectImage(bytes: Uint8Array, name: string): Promise<InspectedImage>;
  /**
   * Which image models they are: a hash of their networks, of how they say what they see, and of whether they can read.
   */
  digestImageModels(): Promise<string>;
  /** What the embedded image models see in an image and read off it. */
  lookAtImage(
    pixels: InspectedImage['pixels'],
    ask: { text: boolean; scene: boolean },
    options: { signal: AbortSignal },
  ): Promise<LookedAt>;
  /** Whether there are lists of images that nobody is to see. */
  hasKnownImages: boolean;
  /** Which of these images stand on a list of images that nobody is to see; they are looked at only afterwards. */
  findKnownImages(images: readonly { id: string; fingerprint: Fingerprint }[]): Promise<readonly KnownImage[]>;
  loadMedia(file: string, mostBytes: number): Promise<Uint8Array>;
  /** Decodes sound or film, and refuses what cannot be judged. */
  openMedia(
    bytes: Uint8Array,
    name: string,
    kind: 'audio' | 'video',
    limits: MediaLimits,
    options: { signal?: AbortSignal },
  ): Promise<OpenedMedia>;
  /** Who writes down what is said: a part, or a provider's model; null for the best part that is there. */
  openSpeechModel(transcription: string | null): Promise<SpeechModel>;
  /** A text as a unit vector, by the embedded model. */
  embedText(text: string, options: { signal: AbortSignal }): Promise<Float32Array>;
  readDocuments(files: readonly (string | NamedBytes)[], options: ReadDocumentsOptions): Promise<ReadDocuments>;
  /** Which models are of one family: a judge must not be the judged one's kin without a word. */
  modelFamily(model: string): string;
}

/** What may be taken from a recording. */
export interface MediaLimits {
  /** The decoder (ffmpeg), by its name or its place. */
  ffmpeg: string;
  bytes: number;
  /** The longest that is judged whole, and what becomes of a longer one. */
  seconds: number;
  whenLonger: 'refuse' | 'sample';
  /** Frames of a film, at most; and how many seconds lie between them where nothing changes. */
  frames: number;
  interval: number;
}

/** A recording that was checked by its content and decoded. */
export interface OpenedMedia {
  /** `sha256:…` of the original bytes. */
  hash: string;
  mediaType: string;
  seconds: number;
  /** Stretches of one channel with 16,000 samples a second, and where each begins. */
  sound: readonly { start: number; samples: Float32Array }[];
  frames: readonly { second: number; image: Uint8Array }[];
  /** What was left out, in a sentence each: a verdict of safe does not cover it. */
  gaps: readonly string[];
}

/** Somebody who writes down what is said. */
export interface SpeechModel {
  id: string;
  /** What stands for them in a configuration. */
  digest: string;
  hear(
    samples: Float32Array,
    options: { signal: AbortSignal },
  ): Promise<{ language: string | null; segments: readonly HeardWords[] }>;
}

/** Words, and when they are said, in seconds. */
export interface HeardWords {
  start: number;
  end: number;
  text: string;
}

/**
 * An image that was checked by its content, with the renderings that a vision model and the embedded image models work
 * on.
 */
export interface InspectedImage {
  /** `sha256:…` of the original bytes. */
  hash: string;
  mediaType: string;
  /** Of the original, as it is shown (EXIF rotation applied). */
  width: number;
  height: number;
  /** What a reader should know: only the first frame was looked at, the image was downscaled, … */
  notes: string[];
  /** What a vision model is shown: at most 1024 px on the long side, without metadata. */
  vision: { mediaType: string; data: Uint8Array };
  /** What the embedded image models look at, at most 2000 px on the long side: RGB, row after row. */
  pixels: { data: Uint8Array; width: number; height: number };
  /** What stands for its pixels, by which copies are found. */
  fingerprint: Fingerprint;
}

/**
 * What the embedded image models say of an image; null where they were not asked. Boxes are in parts of the image's
 * sides.
 */
export interface LookedAt {
  text: {
    text: string;
    confidence: number;
    lines: readonly { text: string; confidence: number; box: Mark['box'] }[];
  } | null;
  scene: {
    /** In sentences. */
    description: string;
    /** The same of those things alone that matter to a clause: what is weighed. */
    weighed: string;
    objects: readonly {
      named: string;
      clauses: readonly string[];
      probability: number;
      place: Mark['box'];
    }[];
    nudity: { kind: 'explicit' | 'suggestive' | 'none'; probability: number; isDrawing: boolean };
  } | null;
}

export interface ReadDocumentsOptions {
  ocr?: boolean | undefined;
  limits?: { bytes?: number | undefined; pages?: number | undefined; rows?: number | undefined } | undefined;
  signal?: AbortSignal | undefined;
  /** Asked about the pictures in the files before any of them is read; what it throws refuses them. */
  admit?: ((pictures: readonly DocumentPicture[]) => Promise<void>) | undefined;
  /** Whoever reads in another process checks the numbers there, too: with the rows that these claims name. */
  checkFor?: readonly string[] | undefined;
}

/** What was read, as the job that asks for it knows it. */
export interface ReadDocuments {
  documents: readonly object[];
  numbers?: readonly object[];
}

/** What stands for a picture in a document, and where it is: `report.pdf, page 3, picture 1`. */
export interface DocumentPicture {
  id: string;
  /** The file, by the hash of its bytes. */
  file: string;
  fingerprint: Fingerprint;
}

/** A file that is given by its bytes: the name says what it is called, and helps to tell what it is. */
export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}
