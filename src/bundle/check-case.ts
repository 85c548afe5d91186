import { checkQuotes, checkSeal, findTurns, type Answer, type Check, type Transcript } from '../debate/index.ts';
import { canonicalJson, hashOf } from '../hash.ts';
import type { JobAnswer } from '../jobs/index.ts';
import type { Policy } from '../policy/index.ts';
import { findBrokenLink, type ChainedRecord } from './chain-records.ts';
import { count, notChecked, ok, wrong } from './check-container.ts';
import { listModels, listPrecedents, nameFile } from './extracts.ts';
import type { Part } from './parts.ts';
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

/** Checks all that code can of the parts of a case: they fit together, and the answer follows from them. */
export async function checkCase(
  parts: readonly Part[],
  about: { case: string; job: string },
  findVerifier: FindVerifier,
): Promise<Check[]> {
  const named = new Map(parts.map((part) => [part.name, part]));
  const json = <Value>(name: string) => (named.get(name) as { json: Value }).json;
  const lines = <Value>(name: string) => (named.get(name) as { lines: readonly Value[] }).lines;
  const missing = required.find((name) => !named.has(name));
  if (missing) return [wrong('parts', `there is no ${missing}`)];
  const answer = json<Answer>('answer.json');
  const files = new Map(
    parts.flatMap((part) =>
      'bytes' in part && part.name.startsWith('subject/files/')
        ? [[`sha256:${part.name.slice('subject/files/'.length)}`, part.bytes]]
        : [],
    ),
  );
  const policy = named.has('policy.json') ? json<Policy>('policy.json') : undefined;
  const { settings, ...record } = json<{ id: string; job: string; settings: unknown }>('case.json');
  const isOfCase = [answer, record].every(({ id, job }) => id === about.case && job === about.job);
  return [
    isOfCase ? ok('case', `${about.case}, ${about.job}`) : wrong('case', 'the parts are not those of one case'),
    await guard('attachments', () => checkFiles(files, answer)),
    await guard('policy', () => checkPolicy(policy, answer)),
    checkExtract('precedents', json('precedents.json'), listPrecedents(answer)),
    checkExtract('models', json('models.json'), listModels(answer.provenance)),
    await guard('prompts', () => checkPrompts(lines('prompts.jsonl'), answer)),
    await guard('records', () => checkRecords(lines('records.jsonl'), json('decisions.json'), answer)),
    ...(await verifyAnswer(answer, { policy, settings, files }, findVerifier)),
  ];
}

const required = [
  'answer.json',
  'case.json',
  'decisions.json',
  'models.json',
  'precedents.json',
  'prompts.jsonl',
  'records.jsonl',
  'subject/content.json',
];

async function verifyAnswer(answer: Answer, given: GivenEvidence, findVerifier: FindVerifier): Promise<Check[]> {
  const verifier = findVerifier(answer.job);
  try {
    if (verifier)
      return [...(await verifier.verify(verifier.readAnswer(JSON.stringify(answer), 'answer.json'), given))];
    return [
      checkSeal(answer),
      checkQuotes(answer),
      notChecked('rules', `the rules of the job ${answer.job} are not known here: use agon verify --job MODULE`),
    ];
  } catch (error) {
    return [wrong('answer', `it cannot be read: ${describe(error)}`)];
  }
}

/** Whether each file is the one that its name says, and the answer speaks of it. */
async function checkFiles(files: ReadonlyMap<string, Uint8Array>, answer: Answer): Promise<Check> {
  const told = canonicalJson(answer);
  for (const [hash, bytes] of files) {
    if ((await digest(bytes)) !== hash) return wrong('attachments', `${nameFile(hash)} is another file`);
    if (!told.includes(hash)) return wrong('attachments', `the answer knows nothing of ${nameFile(hash)}`);
  }
  return ok(
    'attachments',
    files.size === 0 ? 'no files were judged' : `${count(files.size, 'file is', 'files are')} those that were judged`,
  );
}

function checkPolicy(policy: Policy | undefined, { provenance }: Answer): Check {
  const { name, version, hash: named } = provenance.policy;
  if (!policy) return ok('policy', `${name} ${version}: rules in code, without a file`);
  const { hash, ...content } = policy;
  if (hashOf(content) !== hash) return wrong('policy', 'the policy is not the one its hash names');
  return hash === named
    ? ok('policy', `${name} ${version}, as the answer names it`)
    : wrong('policy', `the answer was made under ${name} ${version} (${named}), which this is not`);
}

function checkExtract(name: string, told: unknown, answered: unknown): Check {
  return canonicalJson(told) === canonicalJson(answered)
    ? ok(name, `as the answer says: ${count(Object.keys(answered as object).length, 'member', 'members')}`)
    : wrong(name, `${name}.json is not what the answer says`);
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
    `${fitting} of ${prompts.length} belong to ${count(turns.length, 'turn', 'turns')} of the debate` +
      (fitting < prompts.length ? '; the others were asked before or beside it' : ''),
  );
}

/** What people said, each with its id (a finding's edit goes by the finding). */
type People = Record<'decisions' | 'corrections' | 'findings', readonly object[]>;

function checkRecords(chain: readonly ChainedRecord[], people: People, { id, seal }: Answer): Check {
  const broken = findBrokenLink(chain);
  if (broken !== -1) return wrong('records', `line ${broken + 1} does not follow from the one before it`);
  if (!chain.some((record) => record.kind === 'closed' && record['case'] === id && record['seal'] === seal))
    return wrong('records', 'the answer is not the one that was put on record');
  const told = [...people.decisions, ...people.corrections, ...people.findings].map((one) => hashOf(one));
  const chained = chain.flatMap(({ hash }) => (typeof hash === 'string' ? [hash] : []));
  if (canonicalJson(told.toSorted()) !== canonicalJson(chained.toSorted()))
    return wrong('records', 'what people decided is not what the records say');
  return ok('records', `a chain of ${chain.length}, ${told.length} of them by people`);
}

async function guard(name: string, check: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return wrong(name, `it cannot be read: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
