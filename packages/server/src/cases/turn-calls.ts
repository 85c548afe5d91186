import { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { findTurns, sumDisclosures, type Turn } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Case, Ledger } from '@agonhq/ledger';
import { embeddedDigest, embeddedModel, listReadings } from '@agonhq/models/reasoners';
import { findRetriedCase } from '@agonhq/core/retrials';

type TurnCalls = z.input<typeof schemas.turnCalls>;

/** What was sent and said for a turn of a case; of an embedded one, how the model reads the case. */
export async function listTurnCalls(ledger: Ledger, id: string, key: string, signal: AbortSignal): Promise<TurnCalls> {
  const found = await requireRemembered(ledger, id);
  const turn = findTurns(found.answer?.transcript ?? []).find((each) => each.key === key);
  const kept = await ledger.calls.listCalls(found.id, key);
  const own = turn ? kept.filter(({ inputHash }) => inputHash === turn.inputHash) : kept;
  return {
    case: found.id,
    turn: key,
    calls: own.map(({ call }) => call),
    readings: turn ? await readAgain(found, turn, signal) : null,
  };
}

/** What left the machine for a case, and to whom. */
export async function listDisclosures(ledger: Ledger, id: string): Promise<z.input<typeof schemas.caseDisclosures>> {
  const found = await requireRemembered(ledger, id);
  const kept = await ledger.calls.listCalls(found.id);
  return { case: found.id, disclosures: sumDisclosures(kept.map(({ call }) => call)) };
}

async function requireRemembered(ledger: Ledger, id: string): Promise<Case> {
  const found = await findRetriedCase(ledger, id);
  if (!found) throw new AgonError('unknown-case', `There is no case ${id}.`, 'GET /api/cases lists them.');
  if (found.forgottenAt !== null)
    throw new AgonError(
      'forgotten-case',
      `What case ${found.id} judged was forgotten.`,
      'What was sent to models and said by them was forgotten with it.',
    );
  return found;
}

/** What is judged where it is an exchange: who said what. */
const exchange = z.object({
  turns: z.array(z.object({ source: z.string(), speaker: z.enum(['system', 'user', 'assistant', 'tool']) })),
});

/** The embedded model says the same each time, as long as it is the same: so its readings need not be kept. */
async function readAgain({ job, answer }: Case, turn: Turn, signal: AbortSignal): Promise<TurnCalls['readings']> {
  if (!answer || turn.reasoner !== embeddedModel || turn.fallback) return null;
  const { provenance, sources, subject } = answer;
  if ((provenance.digests?.[embeddedModel] ?? embeddedDigest) !== embeddedDigest) return null;
  const readings = await listReadings(job, { sources, ...exchange.safeParse(subject).data }, signal);
  return readings.map(({ passages, ...reading }) => ({ ...reading, passages: [...passages] }));
}
