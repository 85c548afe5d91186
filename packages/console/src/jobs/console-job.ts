import type { ComponentType, ReactNode } from 'react';
import type { Client } from '@agonhq/server/client';
import type { RuleTerms } from '@agonhq/engine/view';
import type { SentAnswer, SentJob } from '../api/client.ts';
import type { MarkTone, SeriesTone } from '../components/tones.ts';
import type {
  JudgedFile,
  SentTrialEvent,
  TrialSource,
  TrialVerdict,
  TrialView,
  TrialTurn,
} from '../trial/trial-view.ts';

/** What is known of a job wherever a trial of it is shown: on a page of the console, or in a report. */
export interface TrialJob {
  readonly id: SentJob;
  readonly title: string;
  /** Whether its cases are judged by the policy in force. */
  readonly usesPolicy: boolean;
  readonly terms: JobTerms;
  /** What was judged, in the order in which a reader meets it. */
  readSources(sources: readonly RawSource[]): readonly TrialSource[];
  /** What a trial shows of its answer, beside the transcript. */
  readAnswer(answer: SentAnswer): Partial<TrialView>;
  /** What a reader must know before anything else: about which seat, and what. */
  listWarnings?(answer: SentAnswer): readonly { title: string; seat: string; detail: string }[];
  /** What a turn says beside its statement, score and evidence. */
  readonly TurnDetails?: ComponentType<{ turn: TrialTurn }>;
}

/** What the console knows of a job. Pages ask it, and never which job it is. */
export interface ConsoleJob extends TrialJob {
  readonly labels: readonly string[];
  readonly form: JobForm;
  readonly record: JobRecord;
  readonly review: JobReview;
  /** Whether its items are answers of a model, which a run may name. */
  readonly evaluatesModel?: boolean;
  /** Which items a run of it takes, for whoever drops a file. */
  readonly runItems: string;
  /** Which labelled data a bench of it takes. */
  readonly benchItems: string;
  /** A file of items to try a run with; absent where there is none. */
  readonly sampleRun?: () => File;
  /** A page of its own in the navigation; absent for most. */
  readonly page?: { to: string; title: string; icon: ComponentType<{ className?: string; 'aria-hidden'?: true }> };
  readonly views: JobViews;
}

export interface RawSource {
  id: string;
  text: string;
  /** What drew it from another source or an image, and from which. */
  tool?: string | undefined;
  of?: string | undefined;
  note?: string | undefined;
  marks?: readonly SeenMark[] | undefined;
  moments?: readonly SourceMoment[] | undefined;
}

/** A passage of a source, and when it is said or shown, in seconds. */
export interface SourceMoment {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** Where a tool saw something in an image, in parts of the image's sides. */
export interface SeenMark {
  label: string;
  sure: number;
  box: { x: number; y: number; width: number; height: number };
}

/** How something is judged where it differs from what is configured; what is empty does not. */
export interface JudgingOptions {
  readonly method: string;
  readonly sensitivity: string;
  readonly policy: string;
  readonly seats: Readonly<Record<string, string>>;
  readonly budgetUsd: string;
}

/** What somebody is about to ask: texts by their names, files, and how it is to be judged. */
export interface ConsoleDraft {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: readonly File[];
  readonly options: JudgingOptions;
}

export interface FormProps {
  draft: ConsoleDraft;
  /** What the server takes at once. */
  limits: { bodyBytes: number };
  onChange: (change: Partial<ConsoleDraft>) => void;
  onFiles: (files: readonly File[]) => void;
}

/** How something is asked to be judged. */
export interface JobForm {
  readonly Fields: ComponentType<FormProps>;
  readonly methods: readonly (readonly [id: string, title: string])[];
  readonly samples: readonly { title: string; texts: Readonly<Record<string, string>> }[];
  /** Whether a file that is dropped on the page is for this job. */
  accepts(file: File): boolean;
  addFiles(draft: ConsoleDraft, files: readonly File[]): ConsoleDraft | Promise<ConsoleDraft>;
  /** Why it cannot be judged yet; null when it can. */
  findMissing(draft: ConsoleDraft, limits: { bodyBytes: number }): string | null;
  makeOrder(draft: ConsoleDraft): ConsoleOrder;
  /** The same as an item of a run, with the files that it names: so its cost is estimated. */
  makeItem(draft: ConsoleDraft): { item: object; files: readonly File[] };
  /** What can be asked again from the page; null where something of it is not at hand. */
  repeatOrder(view: TrialView): ConsoleOrder | null;
}

/** A request to judge. */
export interface ConsoleOrder {
  /** What the page can show before the server has answered. */
  known: Partial<TrialView>;
  /** Its files, by the ids under which they are judged. */
  files: ReadonlyMap<string, File>;
  stream(client: Client, signal: AbortSignal): AsyncIterable<SentTrialEvent>;
}

/** A role's place in a debate, and how it is drawn. */
export interface RoleLook {
  /** Who speaks before the rounds, who faces whom in them, who has the last word; absent for whoever stands below. */
  readonly part?: 'opening' | 'left' | 'right' | 'closing';
  readonly task?: string;
  /** Its name where both sides stand face to face; absent where seats are listed one by one. */
  readonly side?: string;
  readonly tone?: SeriesTone;
  readonly shape?: 'circle' | 'square' | 'diamond';
  /** What its quotations are for, whatever it says; absent where its answer tells. */
  readonly quotesFor?: MarkTone;
}

/** What the ids of a job's trials mean, and how they are drawn. An id without words is shown as it is. */
export interface JobTerms {
  /** What is judged, as a word in a sentence: `content`. */
  readonly subject: string;
  readonly roles: Readonly<Record<string, RoleLook>>;
  readonly otherRoles?: RoleLook;
  /** Whether it states a risk: then high scores are drawn as such. */
  readonly isRisk: boolean;
  /** The rules of a debate, the first that applies decides. */
  readonly rules: readonly RuleTerms[];
  /** Why a rule was not applied though the arbiter was heard. */
  readonly notApplied: string;
  /** What quoted passages are lit up for. */
  readonly quotedFor: Readonly<Partial<Record<MarkTone, string>>>;
  describeRule(id: string): string;
  /** What a decision outside the rules means. */
  readonly outcomes: Readonly<Record<string, string>>;
  describeStop(reason: string): string;
  describeSeat(turn: { seat: string; round: number | null }): string;
  describeMethod(method: string): { title: string; how: string };
  describeVerdict(verdict: TrialVerdict): string;
  /** What a verdict says beside label, score and rule. */
  listVerdictFacts(verdict: TrialVerdict): readonly (readonly [name: string, value: string])[];
}

/** Cases of the job on record. */
export interface JobRecord {
  readonly page: '/cases/$id' | '/documents/$id';
  readonly openTitle: string;
  /** Whether the person concerned may say something in an appeal. */
  readonly takesStatement: boolean;
  readonly reports: readonly { title: string; format: string; ending: string }[];
  listPrecedents(answer: SentAnswer): readonly ShownPrecedent[];
}

export interface ShownPrecedent {
  id: string;
  label: string;
  summary: string;
  similarity: number;
}

/** How people review its cases. */
export interface JobReview {
  readonly question: string;
  /** What tells its cases from others in the queue; null where nothing needs to. */
  readonly badge: string | null;
  /** Something that the machine may well be unsure of, to try the queue with. */
  readonly sample?: ConsoleDraft['texts'];
}

export interface TrialPartProps {
  view: TrialView;
  fileUrl: (file: JudgedFile) => string | null;
  actions: ReactNode;
}

/** The parts of pages that are the job's own; each is loaded when it is first shown. */
export interface JobViews {
  /** Loads what a trial is shown by, before it is needed. */
  load(): Promise<unknown>;
  /** A trial on the Judge page: what is judged, what came of it, and how. */
  readonly Subject: ComponentType<TrialPartProps>;
  readonly Outcome: ComponentType<TrialPartProps>;
  readonly Proceedings: ComponentType<TrialPartProps>;
  /** Where a trial stands, in a few words: shown while it goes on, and read out. */
  describeProgress(view: TrialView): string;
  describeLatest(view: TrialView): string;
  /** What was decided, where a case has a page of its own; absent where its content, verdict and trial are shown. */
  readonly CaseSummary?: ComponentType<{ answer: SentAnswer }>;
  /** Tabs of a case beside those that every case has. */
  readonly tabs?: readonly CaseTab[];
  readonly figure?: CaseFigure;
}

export interface CaseTab {
  readonly name: string;
  readonly Panel: ComponentType<{ answer: SentAnswer }>;
  describe(answer: SentAnswer): string;
}

export interface CaseFigure {
  readonly title: string;
  readonly lead: string;
  readonly Figure: ComponentType<{ answer: SentAnswer }>;
  isShown(answer: SentAnswer): boolean;
}
