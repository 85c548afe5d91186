import { findTurns, showCorrection, type JobAnswer } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { Case, CaseSummary, Ledger } from '../index.ts';
import { chainRecords, type BundledRecord } from './chain-records.ts';
import { extractModels, extractPrecedents, nameFile, type BundlePart } from './parts.ts';
import type { LeftOut } from './statement.ts';

/** What the ledger has about a case, as the parts of a bundle. */
export interface CollectedCase {
  id: string;
  job: string;
  asOf: string;
  parts: BundlePart[];
  leftOut: LeftOut[];
}

/** A case with its answer. */
export type AnsweredCase = Case & { answer: NonNullable<Case['answer']> };

/** More retrials of one case are not listed. */
const mostRetrials = 1000;

/** Reads everything that the ledger has about a case. */
export async function collectEvidence(ledger: Ledger, record: AnsweredCase): Promise<CollectedCase> {
  const { id, answer } = record;
  const [calls, decisions, corrections, findings, retrials, earlier, files] = await Promise.all([
    ledger.calls.listCalls(id),
    ledger.decisions.listDecisions(id),
    ledger.corrections.listCorrections({ case: id }),
    ledger.findings.listEdits(id),
    ledger.cases.listCases({ again: id }, { limit: mostRetrials }),
    record.again ? ledger.cases.findSummaries([record.again.of]) : new Map<string, CaseSummary>(),
    collectFiles(ledger, record),
  ]);
  const people = toPlain({ decisions, corrections: corrections.map(showCorrection), findings });
  const records = chainRecords([
    ...[...earlier.values(), record, ...retrials.rows].flatMap(listMoments),
    ...people.decisions.map((one) => recordSaid('decision', one, one.id)),
    ...people.corrections.map((one) => recordSaid('correction', one, one.id)),
    ...people.findings.map((one) => recordSaid('finding-edit', one, one.finding)),
  ]);
  const silent = findTurns((answer as JobAnswer).transcript).length > 0 && calls.length === 0;
  return {
    id,
    job: record.job,
    asOf: records.at(-1)!.at,
    parts: [
      { name: 'answer.json', json: answer },
      { name: 'case.json', json: describeCase(record) },
      { name: 'decisions.json', json: people },
      { name: 'models.json', json: extractModels(answer.provenance) },
      // Rules that are code have no file: then the policy on record is the one in force, by which nothing was judged.
      ...(record.policy.hash === answer.provenance.policy.hash
        ? [{ name: 'policy.json', json: record.policy.document }]
        : []),
      { name: 'precedents.json', json: extractPrecedents(answer) },
      { name: 'prompts.jsonl', lines: calls.map((call) => toPlain(call)) },
      { name: 'records.jsonl', lines: records },
      { name: 'subject/content.json', json: record.content },
      ...files.parts,
    ],
    leftOut: [
      ...files.leftOut,
      ...(silent ? [{ what: 'prompts', why: 'none are on record: programs filled all seats, or it is older' }] : []),
      ...(retrials.next === null ? [] : [{ what: 'retrials', why: `only the last ${mostRetrials} are listed` }]),
    ],
  };
}

async function collectFiles(ledger: Ledger, { attachments }: Case): Promise<Pick<CollectedCase, 'parts' | 'leftOut'>> {
  const parts: BundlePart[] = [];
  for (const hash of new Set(attachments.map((attachment) => attachment.hash))) {
    const found = await ledger.attachments.findAttachment(hash);
    if (found) parts.push({ name: nameFile(hash), bytes: found.data });
  }
  const missing = new Set(attachments.map(({ hash }) => hash)).size - parts.length;
  return {
    parts,
    leftOut: missing > 0 ? [{ what: `${missing} file(s) of the subject`, why: 'the ledger no longer has them' }] : [],
  };
}

function describeCase({ id, job, run, again, openedAt, closedAt, configuration, settings, context, ...rest }: Case) {
  const files = rest.attachments.map(({ hash, mediaType }) => ({ hash, mediaType }));
  return toPlain({ id, job, run, again, openedAt, closedAt, configuration, settings, context, files });
}

/** When a trial was opened, and what it came to. */
function listMoments(summary: CaseSummary): BundledRecord[] {
  const { id, job, subject, configuration, run, again, openedAt, closedAt, label, rule, seal } = summary;
  const opened = { at: openedAt.toISOString(), kind: 'opened', case: id, job, subject, configuration, run, again };
  if (closedAt === null) return [opened];
  return [opened, { at: closedAt.toISOString(), kind: 'closed', case: id, label, rule, seal }];
}

/** Something that a person said, by the hash of all of it. */
function recordSaid(
  kind: string,
  said: { at: string; case: string; by: string; label?: string },
  id: string,
): BundledRecord {
  const { at, case: about, by, label } = said;
  return { at, kind, case: about, id, by, ...(label === undefined ? {} : { label }), hash: hashOf(said) };
}

/** As it is read again: moments as texts, and nothing undefined. */
function toPlain<Value>(value: Value): Plain<Value> {
  return JSON.parse(JSON.stringify(value)) as Plain<Value>;
}

type Plain<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Plain<Value[Name]> }
      : Value;
