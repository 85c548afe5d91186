import type { z } from 'zod';
import type { KnownImage } from '@agonhq/engine/debate';
import type { JudgeOptions } from './job-trial.ts';

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

/** What a request may have fetched for it, and what is known of it beside what it holds. */
export interface RequestMeans {
  /** What whoever sent it calls it, where it has no `id`. */
  item?: string | undefined;
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
