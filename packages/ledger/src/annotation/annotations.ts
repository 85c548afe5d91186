import type { StoredAttachment } from '../cases/cases.ts';
import type { AnnotatorFinding, Marking } from './findings.ts';

/** A dataset that people label. */
export interface AnnotationProject {
  id: string;
  name: string;
  /** What can be voted for. */
  labels: readonly string[];
  /** How many people vote on each item. */
  votes: number;
  /** What the annotators are told. */
  guidelines: string | null;
  /** What is asked for beside the label; null for a label alone. */
  marking: Marking | null;
  createdBy: string | null;
  createdAt: Date;
}

/** `open`: votes are missing. `disputed`: they differ, and nobody has settled it. */
export type AnnotationState = 'open' | 'disputed' | 'agreed' | 'adjudicated';

export interface NewAnnotationItem {
  position: number;
  /** Its id in the dataset. */
  key: string;
  /** What is shown, and what the dataset says beside it. */
  content: unknown;
  /** By hash; they are among the ledger's attachments already. */
  images: readonly { name: string; hash: string }[];
}

export interface AnnotationVote {
  by: string;
  label: string;
  why: string | null;
  /** Which parts were looked at. */
  viewed: readonly string[];
  tookMs: number | null;
  finding: AnnotatorFinding | null;
  at: Date;
}

export interface Adjudication {
  by: string;
  label: string;
  why: string;
  finding: AnnotatorFinding | null;
  at: Date;
}

/** What one person said of an item. */
export type Rating = Pick<AnnotationVote, 'label' | 'finding'>;

export interface AnnotationItem extends Omit<NewAnnotationItem, 'images'> {
  images: readonly { name: string; hash: string; mediaType: string }[];
  state: AnnotationState;
  /** What it came to; null while it is open or disputed. */
  label: string | null;
  /** In the order of the voters' names. */
  votes: readonly AnnotationVote[];
  adjudication: Adjudication | null;
}

export interface AnnotationProgress {
  items: number;
  open: number;
  disputed: number;
  agreed: number;
  adjudicated: number;
  votes: number;
}

export interface AnnotationStore {
  /** Puts a project on record with its items, all of them or nothing. A name that is taken is an error. */
  createProject(
    project: Omit<AnnotationProject, 'createdAt'>,
    items: AsyncIterable<NewAnnotationItem>,
  ): Promise<AnnotationProject>;
  findProject(id: string): Promise<AnnotationProject | undefined>;
  /** The newest first. */
  listProjects(): Promise<readonly AnnotationProject[]>;
  countProgress(id: string): Promise<AnnotationProgress>;
  /** Who has voted, and how often; the busiest first. */
  listVoters(id: string): Promise<readonly { name: string; votes: number }[]>;
  /** How many items need a vote, and have none of this voter. */
  countOpenItems(id: string, voter: string): Promise<number>;
  /** Those items, the ones with most votes first, then in the order of the dataset. */
  listOpenItems(
    id: string,
    voter: string,
    options: { limit: number; except?: readonly number[] },
  ): Promise<readonly { position: number; voted: number }[]>;
  /**
   * Gives somebody the next of those items, and says which: no more people have one in hand than votes are needed. What
   * they have in hand they are given again, until they have voted or five minutes have passed. Null when there is none,
   * or when others have all that is left in hand.
   */
  assignItem(id: string, voter: string, except: readonly number[]): Promise<number | null>;
  findItem(id: string, position: number): Promise<AnnotationItem | undefined>;
  /** In the order of the dataset, from behind a position on. */
  listItems(
    id: string,
    options: { limit: number; after?: number; states?: readonly AnnotationState[] },
  ): Promise<readonly AnnotationItem[]>;
  /** What was voted on each item that has all its votes, by voter. Such votes are never changed. */
  readRatings(id: string): AsyncIterable<ReadonlyMap<string, Rating>>;
  /**
   * One vote a person and item: a second replaces the first. Once all votes are in, that is an error, and so is one
   * more. What they had in hand is free.
   */
  keepVote(id: string, position: number, vote: Omit<AnnotationVote, 'at'>): Promise<void>;
  /** Settles a dispute; whoever did may do it again, nobody else. */
  keepAdjudication(id: string, position: number, adjudication: Omit<Adjudication, 'at'>): Promise<void>;
  findImage(id: string, hash: string): Promise<StoredAttachment | undefined>;
  /** With items, votes, and the images that nothing else refers to. False when there is none. */
  removeProject(id: string): Promise<boolean>;
}
