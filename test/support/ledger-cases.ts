import type { Answer, Turn, Verdict } from '@agonhq/engine/debate';
import { sealAnswer } from '@agonhq/engine/debate/seal';
import { sha256 } from '@agonhq/engine/hash';
import { describeAnswer, type JobAnswer } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Ledger, UnrecordedOpening } from '@agonhq/ledger';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { unsafeAnswer } from '../fixtures/answers.ts';

/* Cases, answers and precedents to keep in a ledger. */

export function openedCase(id: string, more: Partial<UnrecordedOpening> & { text?: string } = {}): UnrecordedOpening {
  const { text = `What was said in ${id}.`, ...rest } = more;
  return {
    id,
    job: 'moderation',
    subject: { hash: sha256(text), content: { text } },
    configuration: sha256('configuration'),
    settings: { seats: { arbiter: 'openai:gpt-4o' } },
    policy: { hash: sha256('policy'), name: 'house rules', version: '3', document: { categories: ['chemicals'] } },
    ...rest,
  };
}

/** An answer to a case, sealed. */
export function answerTo(id: string, verdict: Partial<Verdict> = {}, more: Partial<Answer> = {}): Answer {
  const { seal: _, ...content } = unsafeAnswer;
  const answer = { ...content, id, verdict: { ...content.verdict, ...verdict }, ...more };
  return sealAnswer(answer);
}

export function turnAt(key: string, more: Partial<Turn> = {}): Turn {
  return {
    kind: 'turn',
    key,
    inputHash: sha256(key),
    seat: 'strict-debater',
    role: 'strict-debater',
    round: 1,
    statement: `Said at ${key}.`,
    score: 0.25,
    evidence: [],
    answer: { statement: `Said at ${key}.` },
    reasoner: 'openai:gpt-4o-mini',
    usage: { calls: 1, inputTokens: 10, outputTokens: 5, cachedTokens: 0, costUsd: null },
    latencyMs: 3,
    ...more,
  };
}

export function precedentOf(id: string, more: Partial<KeptPrecedent> = {}): KeptPrecedent {
  return {
    id,
    label: 'unsafe',
    category: 'chemicals',
    clause: 'chemicals.toxic-mixtures',
    summary: `The summary of ${id}.`,
    cues: ['a household tip'],
    why: 'It names both.',
    text: `The text of ${id}.`,
    policy: { name: 'house rules', version: '3', hash: sha256('policy') },
    provenance: { kind: 'learnt', case: `case-of-${id}` },
    confirmedBy: 'feedback',
    state: 'active',
    overruledBy: null,
    expiresAt: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    ...more,
  };
}

/** Closes a case as the recorder of its job does. */
export function recordAnswer(ledger: Ledger, answer: JobAnswer): Promise<JobAnswer> {
  return ledger.cases.closeCase(answer, describeAnswer(ownJobs.require(answer.job), answer));
}

/** Opens a case, keeps two entries of it and closes it. */
export async function holdCase(
  ledger: Ledger,
  opened: UnrecordedOpening,
  verdict: Partial<Verdict> = {},
  more: Partial<Answer> = {},
): Promise<Answer> {
  await ledger.cases.openCase(opened);
  await ledger.journal.insert(opened.id, turnAt('round-1/strict-debater'));
  await ledger.journal.insert(opened.id, {
    kind: 'computed',
    key: 'adjudication',
    inputHash: sha256('adjudication'),
    name: 'adjudication',
    round: null,
    value: { label: 'unsafe' },
  });
  const answer = answerTo(opened.id, verdict, more);
  await recordAnswer(ledger, answer);
  return answer;
}

export async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** An export as it stands in a file. */
export async function exportedText(ledger: Ledger): Promise<string> {
  return (await collect(ledger.export())).map((line) => `${JSON.stringify(line)}\n`).join('');
}
