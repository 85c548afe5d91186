import type { z } from 'zod';
import type {
  AnswerUsage,
  CaseFile,
  Check,
  DebateEvent,
  KnownImage,
  PrecedentModality,
  Provenance,
  Transcript,
  Verdict,
} from '../debate/index.ts';
import type { Fingerprint } from '../fingerprint.ts';
import type { Example, Policy, Severity } from '../policy/index.ts';
import type { Correction, JobCorrections } from './correction.ts';
import type { Arrangement, FindingEdit } from './findings.ts';
import type { JobKit, KitTools, NamedBytes } from './job-kit.ts';

/**
 * A job: something that Agon can be asked to judge. Everything above the jobs (runs, retrials, reports, the bench, the
 * ledger, the server, the CLI, the console) asks a job for what it needs and never which one it is.
 */
export interface Job<
  Input = unknown,
  Answer extends JobAnswer = JobAnswer,
  Event extends JudgeEvent = JudgeEvent,
  Options extends JudgeOptions = JudgeOptions,
> {
  /** Its name on record, in settings and on the wire: `moderation`. */
  readonly id: string;
  /** Its name for people: `Moderation`. */
  readonly title: string;
  /** What it answers, in a sentence. */
  readonly description: string;
  /** What the ids of its cases begin with: `mod`. */
  readonly casePrefix: string;
  /** Where its cases are in the HTTP API: `moderations` for `/api/moderations`; absent for `/api/jobs/{id}/cases`. */
  readonly apiGroup?: string;
  /** What is judged, as a word in a sentence: `content`, `exchange`, `documents`. */
  readonly subject: string;
  /** The labels that a case can end with, in the order of tables. */
  readonly labels: readonly string[];
  /** How it can judge; the first is the default. */
  readonly methods: readonly string[];
  /** Its seats, and which other names in `seats` stand in where none is set for it, the nearest first. */
  readonly seats: Readonly<Record<string, JobSeat>>;
  /** Who sits where in the paper, for `preset: paper`; absent where there is no paper. */
  readonly paperSeats?: Readonly<Record<string, string>>;
  /** Its own block of the settings. */
  readonly settings: z.ZodObject;
  /** Whether it judges by the policy in force: then cases are judged again under another, and people review them. */
  readonly usesPolicy: boolean;
  /** How its mistakes become precedents, by which later cases are judged; absent where it does not learn. */
  readonly learning?: JobLearning<Input, Answer>;
  /** How people correct the verdicts on its claims; absent where an answer is one verdict, which feedback is about. */
  readonly corrections?: JobCorrections<Answer>;
  /** Something fitted on data that it judges by: read from a file that its settings name, kept in a run's plan. */
  readonly fitted?: JobFitted;
  /** The command that fits a calibration of its scores; absent where they are not calibrated. */
  readonly calibratedWith?: string;
  /** Its block of the settings for a trial in which the embedded guard judges alone; absent where it cannot. */
  readonly guardAlone?: Readonly<Record<string, unknown>>;
  /** What the guard leaves to the debate without a look: absent where it looks at everything. */
  guardLeaves?(input: Input): boolean;
  /** How a debate may end before its last round, for estimates; absent where it cannot. */
  readonly earlyStop?: JobEarlyStop;
  /** How its items are written in files, and how one becomes an input. */
  readonly items: JobItems<Input, Options>;
  /** How a subject is asked to be judged over HTTP. */
  readonly request: JobRequest<Input, Options>;
  /** What it draws on, so that models and precedents are loaded before they are asked for. */
  needs(settings: Readonly<Record<string, unknown>>): JobNeeds;
  /** Puts it together; says at once what is missing. */
  open(kit: JobKit): OpenJob<Input, Answer, Event, Options>;
  /** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
  readAnswer(json: string, name: string): Answer;
  /** Recomputes whatever code can recompute of an answer. */
  verify(answer: Answer, given: VerifyOptions): readonly Check[] | Promise<readonly Check[]>;
  /** The files that are read again when an answer is verified with them; absent where no file is. */
  listFiles?(answer: Answer): readonly { name: string; hash: string }[];
  /** Its answers, written for readers. */
  readonly report: JobReport<Answer>;
  /** What was decided, in the words of lists and tables. */
  summarize(answer: Answer): CaseSummary;
  /** What else lists of cases are filtered and sorted by; nothing by default. */
  index?(answer: Answer): CaseIndex;
  /** The debates of an answer: itself, or one for each claim. */
  debates(answer: Answer): readonly JudgedDebate[];
  /** An event as listeners get it, without what they have heard or get with the answer; as it is by default. */
  trimEvent?(event: Event): object;
  /** What listeners are told of a case on record, in order; by default its case file and its transcript. */
  recallEvents?(answer: Answer): readonly RecalledEvents[];
  /** What moved between two answers on the same subject; by default what the seats said. */
  compare?(before: Answer, after: Answer): readonly Difference[];
  /** The seats of the debate, whose models a panel without roles has: by the settings and what the answer says. */
  debateSeats(settings: Readonly<Record<string, unknown>>, provenance: Answer['provenance']): readonly string[];
  /** A subject as the ledger keeps it, ready to be judged again. */
  restore(content: unknown, files: StoredFiles): Promise<{ input: Input; options: Options }>;
}

/** What every answer has, whatever its job. */
export interface JobAnswer {
  version: 1;
  id: string;
  job: string;
  transcript: Transcript;
  usage: AnswerUsage;
  provenance: Provenance;
  /** `sha256:…` of all of the above. */
  seal: string;
}

/** What happens while something is judged: the engine's events, and the job's own. */
export type JudgeEvent = DebateEvent | JobEvent;

/** An event of a job's own: something is ready, or a claim begins or ends. */
export interface JobEvent {
  type: `${string}-ready` | 'claim-start' | 'claim-end';
  debate: string;
  /** The claim, where there are several; null for what concerns the whole. */
  scope: string | null;
  /** What the debaters are shown, where a case is ready. */
  caseFile?: CaseFile;
}

/** An event as it was told, or those of a whole transcript. */
export type RecalledEvents =
  | { type: JobEvent['type']; scope: string | null; data: object }
  | { scope: string | null; transcript: Transcript };

/** The conditions of one trial. */
export interface JudgeOptions {
  signal?: AbortSignal;
  /** Ask for `turn-delta` events. */
  stream?: boolean;
  /** The case's id; by default it follows from subject and configuration, so that the same case is the same debate. */
  debate?: string;
  /** What the person concerned says, in an appeal. */
  statement?: string;
  /** Precedents that this trial must not see. */
  withoutPrecedents?: readonly string[];
}

export interface JobSeat {
  fallsBackTo: readonly string[];
  /** What its model does, for the help: a seat that says so has a flag of its own name. */
  help?: string;
  /** Whether several may sit there, each with a model of its own (`auditor#1`, `auditor#2`). */
  several?: boolean;
}

export interface JobFitted {
  /** Its name in a run's plan: `reference`. */
  name: string;
  load(settings: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export interface JobEarlyStop {
  isOn(settings: Readonly<Record<string, unknown>>): boolean;
  /** What its block says to argue all rounds. */
  off: Readonly<Record<string, unknown>>;
}

/** What a job draws on, under the given settings. */
export interface JobNeeds {
  /** The seat that judges by precedents; null when none does. */
  precedentSeat: string | null;
  /** Whether the embedded reasoner tells clauses of the policy by decided cases. */
  clauseExamples: boolean;
  /** Whether the embedded model of replies is asked. */
  secondMind: boolean;
}

/** How a job learns: from the examples of a policy, and from what people say of its cases. */
export interface JobLearning<Input = unknown, Answer extends JobAnswer = JobAnswer> {
  /** An example of a policy, ready to be judged. */
  readExample(example: Example): Input;
  /** A finished case as whoever learns from it studies it. */
  studyAnswer(answer: Answer): StudiedCase;
  /** The hash of a subject that is given by its text alone. */
  hashText(text: string): string;
  /** How many precedents a model that is paid is shown at most in one case. */
  countPrecedents(settings: Readonly<Record<string, unknown>>): number;
}

/** A finished case to be learnt from: what was judged, and the whole trial. */
export interface StudiedCase extends CaseFile, JudgedDebate {
  modality: PrecedentModality;
  /** What stands for the case among precedents: alike cases are found by it. */
  text: string;
  /** What stands for the pixels of its images: copies of them are found by it. */
  pictures?: readonly Fingerprint[];
}

/** A job that was put together from settings, for any number of subjects. */
export interface OpenJob<
  Input = unknown,
  Answer extends JobAnswer = JobAnswer,
  Event extends JudgeEvent = JudgeEvent,
  Options extends JudgeOptions = JudgeOptions,
> {
  /** What its answers say they were made by. */
  provenance(): Answer['provenance'];
  /** Judges one subject: yields what happens as it happens, returns the answer. */
  judge(input: Input, options?: Options): AsyncGenerator<Event, Answer, void>;
}

/** How an answer is written for a reader. */
export interface JobReport<Answer extends JobAnswer = JobAnswer> {
  /** One self-contained page. */
  html(answer: Answer, extras: ReportExtras): string;
  markdown(answer: Answer, extras: ReportExtras): string;
  /** A short text for those whom the decision concerns. */
  notice(answer: Answer, extras: ReportExtras): string;
  /** Reports that are files of another kind. */
  files?: Partial<Record<FileFormat, ReportFile<Answer>>>;
}

/**
 * `pdf`: a brief. `annotated`: a copy of what was judged with the findings in its margin. Others: a table of findings.
 */
export type FileFormat = 'pdf' | 'annotated' | 'xlsx' | 'csv';

export interface ReportFile<Answer extends JobAnswer = JobAnswer> {
  mediaType: string;
  render(answer: Answer, findSource: FindSource, extras?: ReportExtras): Promise<Uint8Array>;
}

/** A file that was judged, by its `sha256:…`; null where it is not at hand. */
export type FindSource = (hash: string) => Promise<Uint8Array | null>;

/** What a report may show beyond the answer. */
export interface ReportExtras {
  /** The judged images by their ids, as data URIs. */
  images?: Record<string, string>;
  /** Where the judged recordings lie, by their ids: paths that a page can link to. */
  recordings?: Record<string, string>;
  /** For the titles and texts of clauses. */
  policy?: Policy;
  /** How the affected person can contest the decision. */
  appeal?: string;
  /** What a person decided since, where that stands: the notice is about it. */
  decision?: ReportDecision;
  /** What people said of its claims since, those that stand. */
  corrections?: readonly Correction[];
  /** What people made of its findings for the report. */
  edits?: readonly FindingEdit[];
  /** Which findings a table or a brief has. */
  arranged?: Arrangement;
}

/** What a person decided on a case. */
export interface ReportDecision {
  label: 'safe' | 'unsafe';
  clause: string | null;
  action: string | null;
}

/** What an answer can be checked against. */
export interface VerifyOptions {
  /** The files that were judged, read again. */
  sources?: readonly NamedBytes[];
  policy: Policy;
  /** The job's own block of the settings. */
  settings: Readonly<Record<string, unknown>>;
  readDocuments: KitTools['readDocuments'];
}

/** What was decided, in the words of lists and tables. */
export interface CaseSummary {
  label: string;
  /** How risky it is and the bar it is held against; absent where the job's score is no risk. */
  risk?: number | null;
  bar?: number | null;
  /** Where there is a risk, the same with its bar at one half. */
  score: number | null;
  /** Whether a person should look at it. */
  escalate: boolean;
  rule: { id: string; why: string };
  /** Clauses of the policy. */
  categories: readonly string[];
  /** What the policy asks for, and how grave it is; null or absent where nothing is proposed. */
  action?: string | null;
  severity?: Severity | null;
}

/** What lists of cases are filtered and sorted by, beside the summary. */
export interface CaseIndex {
  /** By a fitted calibration; null where there is none. */
  probability: number | null;
  /** Categories of the policy, each once. */
  categories: readonly string[];
  /** Whether somebody gave no answer, or something could not be read. */
  degraded: boolean;
  /** What was judged: `text`, `image`, `documents`; null where nobody said. */
  modality: string | null;
  /** The judge's own, 0 to 1; null where it did not say. */
  confidence: number | null;
  /** How far apart the two sides ended, 0 to 1; null where there are no two sides. */
  disagreement: number | null;
  /** What stands for the pixels of its images; absent where there are none. */
  pictures?: readonly (Fingerprint & { image: string })[];
}

/** A debate of an answer. */
export interface JudgedDebate {
  transcript: Transcript;
  verdict: Verdict<string>;
}

/** One entry, or one claim, as it was and as it is. */
export interface Difference {
  at: string;
  before: string;
  after: string;
}

/** How the items of a job are written in files, and how one becomes an input. */
export interface JobItems<Input = unknown, Options extends JudgeOptions = JudgeOptions> {
  /** Every field that is read, and that --map may name otherwise. */
  readonly fields: readonly string[];
  /** Fields with members of their own, each a column of a table: `context` for `context.author`. */
  readonly families?: readonly string[];
  /** An item has all fields of one of these. */
  readonly parts: readonly (readonly string[])[];
  /** Fields that may hold a list. */
  readonly lists: readonly string[];
  readonly example: string;
  /** What files that an item names are called in errors; absent where items name none. */
  readonly files?: string;
  /** Whether a line may be a bare string instead of an object. */
  readonly bareText?: boolean;
  /** What the right label of an item means here; undefined where it means nothing. */
  readLabel(label: string): string | undefined;
  /** Checks what an item says and makes it ready for the ledger. */
  readItem(value: unknown, keepFile: (path: string) => Promise<StoredFile>): Promise<StoredItem>;
  /** An item from the ledger, ready to be judged. */
  openItem(
    input: unknown,
    files: StoredFiles,
    run: { evaluatedModel: string | null },
  ): Promise<{
    input: Input;
    options: Options;
  }>;
  /** The items of a file that another tool wrote; null where it is none that is known. */
  importFile?(file: string): Promise<AsyncIterable<unknown> | null>;
}

/** How a subject comes over HTTP. */
export interface JobRequest<Input = unknown, Options extends JudgeOptions = JudgeOptions> {
  /** Its JSON; `method` in it names another way of judging than the server's. */
  readonly schema: z.ZodType;
  /** Makes an input of what the schema has read. */
  read(given: unknown, means: RequestMeans): Promise<{ input: Input; options?: Options }>;
}

/** What a request may have fetched for it. */
export interface RequestMeans {
  fetchImage(url: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** What an item says, ready for the ledger. */
export interface StoredItem {
  id?: string;
  input: unknown;
  /** Of what is judged, without what it is called. */
  hash: string;
}

/** A file that an item names: where it lies on this machine, or under which hash the ledger keeps it. */
export type StoredFile = { file: string } | { attachment: string; name: string };

/** The files that stored items and cases name. */
export interface StoredFiles {
  find(hash: string): Promise<{ data: Uint8Array } | undefined>;
  /** What was found of lists of known images in a file that came before, and of which nothing is left. */
  findKnown?(hash: string): Promise<readonly KnownImage[]>;
  /** Whether an item may name files of this machine: not where others put items in, who could have any file read. */
  local: boolean;
}
