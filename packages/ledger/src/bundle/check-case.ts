import {
  checkQuotes,
  checkSeal,
  findTurns,
  type Answer,
  type Check,
  type JobAnswer,
  type Provenance,
  type Transcript,
} from '@agonhq/engine/debate';
import { canonicalJson, hashOf } from '@agonhq/engine/hash';
import type { Policy } from '@agonhq/engine/policy';
import { findBrokenLink, type ChainedRecord } from './chain-records.ts';
import { count, notChecked, ok, wrong } from './check-container.ts';
import { extractModels, extractPrecedents, nameFile, type BundlePart } from './parts.ts';
import { digest } from './public-key.ts';

/** What a bundle asks of a job: to read an answer of its own, and to recompute what code can. */
export interface AnswerVerifier {
  readAnswer(json: string, name: string): JobAnswer;
  verify(answer: JobAnswer, given: GivenEvidence): readonly Check[] | Promise<readonly Check[]>;
}

export interface GivenEvidence {
  /** Undefined where the rules are code. */
  policy: Policy | undefined;
  /** The settings of the job as they were. */
  settings: unknown;
  /** The files of the subject, by `sha256:…`. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** The job of this id; undefined where it is not known here. */
export type FindVerifier = (job: string) => AnswerVerifier | undefined;

type About = Readonly<Record<'case' | 'job', string>>;

/** Checks all that code can of the parts of a case: they fit together, and the answer follows from them. */
export async function checkCase(
  parts: readonly BundlePart[],
  about: About,
  findVerifier: FindVerifier,
): Promise<readonly Check[]> {
  const { answer, record, policy, records, read } = openParts(parts);
  const files = listFiles(parts);
  return [
    checkIdentity(about, [answer, record], records),
    await checkFiles(files, answer),
    checkPolicy(policy, answer.provenance),
    checkPrecedents(read('precedents.json'), answer),
    checkModels(read('models.json'), answer.provenance),
    checkPrompts(read('prompts.jsonl') as { key: string; inputHash: string }[], answer),
    checkRecords(records, read('decisions.json') as BundlePeople, answer),
    ...(await verifyAnswer(answer, { policy, settings: record.settings, files }, findVerifier)),
  ];
}

/** Checks what can be read of a case that is redacted. */
export function checkRedactedCase(parts: readonly BundlePart[], about: About): readonly Check[] {
  const { answer, record, policy, records, read } = openParts(parts);
  return [
    checkIdentity(about, [answer, record], records),
    checkPolicy(policy, answer.provenance),
    checkModels(read('models.json'), answer.provenance),
  ];
}

/** The parts by name; what is not as it should be is found out where it is used. */
function openParts(parts: readonly BundlePart[]) {
  const named = new Map(parts.map((part) => [part.name, part]));
  const read = (name: string): unknown => {
    const part = named.get(name);
    if (part && 'json' in part) return part.json;
    if (part && 'lines' in part) return part.lines;
    throw new Error(`there is no ${name}`);
  };
  read('subject/content.json');
  return {
    read,
    answer: read('answer.json') as Answer,
    record: read('case.json') as { id: string; job: string; settings: unknown },
    policy: named.has('policy.json') ? (read('policy.json') as Policy) : undefined,
    records: read('records.jsonl') as readonly ChainedRecord[],
  };
}

function listFiles(parts: readonly BundlePart[]): ReadonlyMap<string, Uint8Array> {
  const folder = 'subject/files/';
  return new Map(
    parts.flatMap((part) =>
      'bytes' in part && part.name.startsWith(folder) ? [[`sha256:${part.name.slice(folder.length)}`, part.bytes]] : [],
    ),
  );
}

async function verifyAnswer(
  answer: Answer,
  given: GivenEvidence,
  findVerifier: FindVerifier,
): Promise<readonly Check[]> {
  const verifier = findVerifier(answer.job);
  if (!verifier)
    return [
      checkSeal(answer),
      checkQuotes(answer),
      notChecked('rules', `the rules of the job ${answer.job} are not known here: use agon verify --job MODULE`),
    ];
  try {
    return await verifier.verify(verifier.readAnswer(JSON.stringify(answer), 'answer.json'), given);
  } catch (error) {
    return [wrong('answer', `it cannot be checked: ${(error as Error).message}`)];
  }
}

/* Whether the parts of a bundle fit together. */

/** Whether the parts speak of the case that the statement names, and what it came to. */
function checkIdentity(
  about: { case: string; job: string },
  told: readonly { id: string; job: string }[],
  records: readonly ChainedRecord[],
): Check {
  if (!told.every(({ id, job }) => id === about.case && job === about.job))
    return wrong('case', 'the parts are not those of one case');
  const closed = records.find((record) => record.kind === 'closed' && record['case'] === about.case);
  const verdict = closed ? `: ${String(closed['label'])}, by the rule ${String(closed['rule'])}` : '';
  return ok('case', `${about.case}, ${about.job}${verdict}`);
}

/** Whether each file is the one that its name says, and the answer speaks of it. */
async function checkFiles(files: ReadonlyMap<string, Uint8Array>, answer: Answer): Promise<Check> {
  const told = canonicalJson(answer);
  for (const [hash, bytes] of files) {
    if ((await digest(bytes)) !== hash) return wrong('attachments', `${nameFile(hash)} is another file`);
    if (!told.includes(hash)) return wrong('attachments', `the answer knows nothing of ${nameFile(hash)}`);
  }
  const named = count(files.size, 'file is what the answer names', 'files are what the answer names');
  return ok('attachments', files.size === 0 ? 'no files were judged' : named);
}

function checkPolicy(policy: Policy | undefined, provenance: Provenance): Check {
  const { name, version, hash: named } = provenance.policy;
  if (policy === undefined) return ok('policy', `${name} ${version}: rules in code, without a file`);
  const { hash, ...content } = policy;
  if (hashOf(content) !== hash) return wrong('policy', 'the policy is not the one its hash names');
  return hash === named
    ? ok('policy', `${name} ${version}, as the answer names it`)
    : wrong('policy', `the answer was made under ${name} ${version} (${named}), which this is not`);
}

function checkPrecedents(told: unknown, answer: Answer): Check {
  const shown = extractPrecedents(answer);
  if (canonicalJson(told) !== canonicalJson(shown)) return wrong('precedents', 'they are not those that were shown');
  return ok('precedents', shown.length === 0 ? 'none were shown' : `${shown.length} were shown, as the answer says`);
}

function checkModels(told: unknown, provenance: Provenance): Check {
  if (canonicalJson(told) !== canonicalJson(extractModels(provenance)))
    return wrong('models', 'they are not those that the answer names');
  return ok('models', `of ${count(Object.keys(provenance.models).length, 'seat', 'seats')}, as the answer names them`);
}

/** Whether prompts belong to turns of the debate; those of an earlier attempt at the same turn may be among them. */
function checkPrompts(
  prompts: readonly { key: string; inputHash: string }[],
  answer: Answer & { claims?: readonly { transcript: Transcript }[] },
): Check {
  const turns = [answer, ...(answer.claims ?? [])].flatMap(({ transcript }) => findTurns(transcript));
  const places = new Set(turns.map(({ key, inputHash }) => `${key} ${inputHash}`));
  const fitting = prompts.filter(({ key, inputHash }) => places.has(`${key} ${inputHash}`)).length;
  if (prompts.length === 0) return ok('prompts', 'none are on record');
  return ok(
    'prompts',
    `${fitting} of ${prompts.length} belong to the ${count(turns.length, 'turn', 'turns')} of the debate` +
      (fitting < prompts.length ? '; the others were asked before or beside it' : ''),
  );
}

/** What people said of a case. */
type BundlePeople = Record<'decisions' | 'corrections' | 'findings', readonly object[]>;

/** Whether the chain is whole, ends in this answer, and knows everything that people said. */
function checkRecords(chain: readonly ChainedRecord[], people: BundlePeople, answer: Answer): Check {
  const { id, seal, provenance } = answer;
  const broken = findBrokenLink(chain);
  if (broken !== -1) return wrong('records', `line ${broken + 1} does not follow from the one before it`);
  const find = (kind: string) => chain.find((record) => record.kind === kind && record['case'] === id);
  if (find('closed')?.['seal'] !== seal) return wrong('records', 'the answer is not the one that was put on record');
  if (find('opened')?.['configuration'] !== provenance.configuration)
    return wrong('records', 'the case was opened under another configuration');
  const told = [...people.decisions, ...people.corrections, ...people.findings].map((one) => hashOf(one));
  const chained = chain.flatMap(({ hash }) => (typeof hash === 'string' ? [hash] : []));
  if (canonicalJson(told.toSorted()) !== canonicalJson(chained.toSorted()))
    return wrong('records', 'what people decided is not what the records say');
  const said = chain.flatMap(({ kind, by, label }) => (kind === 'decision' ? [`${String(by)}: ${String(label)}`] : []));
  return ok(
    'records',
    `a chain of ${chain.length}, ${told.length} of them by people${said.length > 0 ? ` (${said.join(', ')})` : ''}`,
  );
}
