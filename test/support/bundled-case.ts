import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSigningKey, type AnsweredCase } from '@agonhq/ledger/bundle';
import { answerVersion, noUsage, sealAnswer } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { Ledger, UnrecordedOpening } from '@agonhq/ledger';
import { openNewLedger } from './new-ledger.ts';
import { recordAnswer } from './ledger-cases.ts';

/** A folder of its own for what an installation keeps. */
export function newHome(): { AGON_HOME: string } {
  return { AGON_HOME: mkdtempSync(path.join(tmpdir(), 'agon-home-')) };
}

/** A ledger in a folder of its own. */
export async function openBundledLedger(): Promise<Ledger> {
  return openNewLedger(path.join(mkdtempSync(path.join(tmpdir(), 'agon-bundled-')), 'ledger.sqlite'));
}

/** The case with its answer. */
export async function findAnswered(ledger: Ledger, id: string): Promise<AnsweredCase> {
  return (await ledger.cases.findCase(id)) as AnsweredCase;
}

/** The smallest case there is: nobody debated it, under a policy without clauses. */
export async function recordTinyCase(
  ledger: Ledger,
  {
    id = 'mod-0123456789abcdef',
    again,
    text = 'A word.',
  }: Partial<Pick<UnrecordedOpening, 'id' | 'again'>> & { text?: string } = {},
): Promise<AnsweredCase> {
  const rules = { name: 'tiny', version: '1', categories: [] };
  const policy = { ...rules, hash: hashOf(rules) };
  const answer = sealAnswer({
    version: answerVersion,
    id,
    job: 'moderation',
    subject: { id: null, hash: hashOf(text), modality: 'text', images: [] },
    sources: [{ id: 'text', text }],
    verdict: {
      label: 'safe',
      risk: 0,
      bar: 0.5,
      escalate: false,
      rule: { id: 'always', why: 'it is tiny' },
      categories: [],
      evidence: [],
      degraded: [],
    },
    transcript: [],
    precedents: [],
    usage: { ...noUsage, latencyMs: 1, byModel: {}, bySeat: {} },
    provenance: {
      agon: 'test',
      protocol: 'none',
      prompts: hashOf(''),
      models: {},
      precedents: null,
      configuration: hashOf(1),
      policy: { name: 'tiny', version: '1', hash: policy.hash },
    },
  });
  await ledger.cases.openCase({
    id,
    job: 'moderation',
    configuration: hashOf(1),
    settings: {},
    again: again ?? null,
    subject: { hash: hashOf(text), content: { text } },
    policy: { hash: policy.hash, name: 'tiny', version: '1', document: policy },
  });
  await recordAnswer(ledger, answer);
  return findAnswered(ledger, id);
}

/** A signing key in a home of its own. */
export async function newSigningKey() {
  return openSigningKey(newHome());
}
