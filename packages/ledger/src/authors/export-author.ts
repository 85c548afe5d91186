import { encodeText } from '@agonhq/engine/container';
import { AgonError } from '@agonhq/engine/agon-error';
import type { AuditEntry, Ledger } from '../index.ts';
import { createArchive } from './archive-parts.ts';
import { collectAuthorCase, createPseudonyms } from './collect-case.ts';

export interface AuthorExportOptions {
  /** Images and documents too. */
  files?: boolean;
  signal?: AbortSignal;
  now?: Date;
}

const auditedAtOnce = 100;
const deliveriesAtOnce = 100;

/**
 * Everything on record of the author of items, as a ZIP file, piece by piece: a case or a file in memory at a time. Who
 * decided is a pseudonym, and what other people wrote is not in it.
 */
export async function* exportAuthor(
  ledger: Ledger,
  author: string,
  { files = true, signal, now = new Date() }: AuthorExportOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  const ids: string[] = [];
  for await (const id of ledger.authors.readCases(author)) ids.push(id);
  const waiting = await ledger.authors.readWaitingItems(author)[Symbol.asyncIterator]().next();
  const own = new Set(ids);
  const holds = (await ledger.holds.listHolds()).filter(
    (hold) => hold.author === author || (hold.case !== null && own.has(hold.case)),
  );
  if (ids.length === 0 && waiting.done && holds.length === 0) throw unknownAuthor(author);
  const archive = createArchive();
  const pseudonyms = createPseudonyms();
  const attached = new Map<string, string>();
  const subjects = new Set<string>();
  // In the order of their names: README.txt, audit, cases, deliveries, files, items, learnt, manifest.json.
  yield* archive.add({ name: 'README.txt', bytes: encodeText(writeExportReadme(author, now, files)) });
  yield* archive.addLines('audit', readAudit());
  yield* archive.addLines('cases', readCases());
  yield* archive.addLines('deliveries', readDeliveries(ledger, own));
  for (const [hash, mediaType] of files ? [...attached].toSorted(([a], [b]) => (a < b ? -1 : 1)) : []) {
    signal?.throwIfAborted();
    const found = await ledger.attachments.findAttachment(hash);
    if (found) yield* archive.add({ name: nameFile(hash, mediaType), bytes: found.data });
  }
  yield* archive.addLines('items', ledger.authors.readWaitingItems(author));
  yield* archive.addLines('learnt', readPrecedents());
  const [format, madeAt] = ['agon-author-archive/1', now.toISOString()];
  const manifest = { format, author, madeAt, cases: ids.length, files: archive.files };
  yield* archive.add({ name: 'manifest.json', bytes: encodeText(`${JSON.stringify(manifest, null, 2)}\n`) });
  yield* archive.end();

  async function* readCases(): AsyncGenerator<object> {
    for (const id of ids) {
      signal?.throwIfAborted();
      const found = await ledger.cases.findCase(id);
      if (!found) continue;
      subjects.add(found.subject);
      for (const { hash, mediaType } of found.attachments) attached.set(hash, mediaType);
      yield collectAuthorCase(ledger, found, pseudonyms);
    }
  }

  async function* readAudit(): AsyncGenerator<object> {
    const targets = [author, ...holds.map(({ id }) => id), ...ids];
    for (let start = 0; start < targets.length; start += auditedAtOnce)
      for (const entry of await ledger.authors.findEntriesAbout(targets.slice(start, start + auditedAtOnce)))
        yield hideWho(entry);
  }

  /** Of the key it says nothing: it leads to a person. */
  function hideWho(entry: AuditEntry): object {
    const { id, at, operation, target, status, who } = entry;
    const { by, reviewer, ...what } = entry.what as { by?: unknown; reviewer?: unknown };
    const people = Object.entries({ by, reviewer }).flatMap(([name, person]) =>
      typeof person === 'string' ? [[name, pseudonyms.nameOf(person)]] : [],
    );
    return {
      id,
      at,
      operation,
      target,
      status,
      what: { ...what, ...Object.fromEntries(people) },
      who: who === null ? null : pseudonyms.nameOf(who),
    };
  }

  async function* readPrecedents(): AsyncGenerator<object> {
    for (const subject of subjects)
      for (const { confirmedBy, ...precedent } of await ledger.authors.findPrecedents(subject))
        yield { ...precedent, confirmedBy: pseudonyms.nameOf(confirmedBy) };
  }
}

/** What webhooks were told about the cases: event, where to, when, and what came back. */
async function* readDeliveries(ledger: Ledger, ids: ReadonlySet<string>): AsyncGenerator<object> {
  for (const { id: webhook, url } of await ledger.webhooks.listWebhooks()) {
    const to = new URL(url).host;
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page: DeliveryPage = await ledger.webhooks.listDeliveries(webhook, { limit: deliveriesAtOnce, after });
      for (const { event, payload, state, status, createdAt, endedAt } of page.rows) {
        const cases = listCases(payload).filter((id) => ids.has(id));
        if (cases.length > 0) yield { cases, event, to, state, status, at: createdAt, endedAt, told: payload };
      }
      after = page.next;
    }
  }
}

type DeliveryPage = Awaited<ReturnType<Ledger['webhooks']['listDeliveries']>>;

/** The ids of cases that something told names. */
function listCases(told: unknown): string[] {
  const named = JSON.stringify(told).match(/"[a-z][a-z0-9-]*-[0-9a-f]{16}"/g) ?? [];
  return [...new Set(named.map((id) => id.slice(1, -1)))];
}

function nameFile(hash: string, mediaType: string): string {
  const kind = /^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1];
  return `files/${hash.replace('sha256:', '')}${kind === undefined ? '' : `.${kind}`}`;
}

function unknownAuthor(author: string): AgonError {
  return new AgonError('unknown-author', `Nothing is on record of the author ${author}.`, {
    library: 'Name the author as the context of their items does.',
    cli: 'Name the author as the context of their items does; `agon cases --author ID` lists their cases.',
    api: 'Name the author as the context of their items does: GET /api/cases?author=ID.',
  });
}

const withFiles = 'files/              images and documents that were judged, by the SHA-256 of their bytes';
const withoutFiles = 'files               images and documents were left out of this archive';

/** What an archive is and how to read it, for the person who gets it. */
function writeExportReadme(author: string, madeAt: Date, files: boolean): string {
  return `Everything on record of ${author}
Made by Agon on ${madeAt.toISOString()}.

This archive holds what an automated review of content keeps about what ${author} wrote. Texts are in UTF-8; a file
whose name ends in .jsonl has one JSON object per line.

cases-*.jsonl       one line per case: what was judged and its context, the verdict and the whole answer with every
                    turn of the debate, what people decided, corrected or marked, where the case stands with its
                    reviewers, what was sent to which model on which host (disclosures), word for word (prompts)
${files ? withFiles : withoutFiles}
items-*.jsonl       what waits to be judged
learnt-*.jsonl      precedents that were learnt from what ${author} wrote
audit-*.jsonl       who did what with these cases: decisions, exports, holds
deliveries-*.jsonl  what was told about these cases to other systems, and to which host
manifest.json       the files of this archive with their lengths and hashes

People who reviewed are called "reviewer 1", "reviewer 2", …: each has one name throughout. What other authors wrote is
not in this archive, even where it says the same.

Not in it: cached answers of models, of which nobody knows what they were about; entries of the restricted queue of known
images, about which the law may forbid to tell; copies of exports and backups, which the operator keeps elsewhere.
`;
}
