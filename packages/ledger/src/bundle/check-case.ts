import { checkQuotes, checkSeal, type Answer, type Check, type JobAnswer } from '@agonhq/engine/debate';
import type { Policy } from '@agonhq/engine/policy';
import type { ChainedRecord } from './chain-records.ts';
import { notChecked, wrong } from './check-container.ts';
import {
  checkFiles,
  checkIdentity,
  checkModels,
  checkPolicy,
  checkPrecedents,
  checkPrompts,
  checkRecords,
  type BundlePeople,
} from './check-parts.ts';
import type { BundlePart } from './parts.ts';

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
