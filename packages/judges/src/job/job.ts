import type { z } from 'zod';
import type { CaseFile, Check, PrecedentModality } from '@agonhq/engine/debate';
import type { Fingerprint } from '@agonhq/engine/fingerprint';
import type { ClauseExample, Policy } from '@agonhq/engine/policy';
import type { JobCorrections } from './correction.ts';
import type { CaseIndex, AnswerSummary, Difference, JobAnswer, JudgedDebate } from './job-answer.ts';
import type { JobItems, JobRequest, StoredFiles } from './job-inputs.ts';
import type { JobKit, KitTools, NamedBytes } from './job-kit.ts';
import type { JobReport } from './job-report.ts';
import type { JudgeEvent, JudgeOptions, RecalledEvents } from './job-trial.ts';

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
  summarize(answer: Answer): AnswerSummary;
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
  secondModel: boolean;
}

/** How a job learns: from the examples of a policy, and from what people say of its cases. */
export interface JobLearning<Input = unknown, Answer extends JobAnswer = JobAnswer> {
  /** An example of a policy, ready to be judged. */
  readExample(example: ClauseExample): Input;
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

/** What an answer can be checked against. */
export interface VerifyOptions {
  /** The files that were judged, read again. */
  sources?: readonly NamedBytes[];
  policy: Policy;
  /** The job's own block of the settings. */
  settings: Readonly<Record<string, unknown>>;
  readDocuments: KitTools['readDocuments'];
}
