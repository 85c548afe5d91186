import { createAgon, type Agon, type AgonParts } from '../agon.ts';
import { AgonError } from '../errors.ts';
import { ledgerPlace, openLedger, type Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { errorLine } from './print-error.ts';

/**
 * Agon for a command that judges. Its cases are kept in the ledger that was named, which must open; else in the
 * installation's own, on which no verdict depends.
 */
export async function recordedAgon(settings: Settings, parts: AgonParts): Promise<Agon> {
  if (settings.ledger !== undefined) return createAgon(settings, parts);
  const ledger = await ownLedger();
  if (!ledger) return createAgon(settings, parts);
  try {
    const agon = await createAgon(settings, { ...parts, ledger });
    return {
      ...agon,
      async close() {
        await agon.close();
        await ledger.close();
      },
    };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function ownLedger(): Promise<Ledger | null> {
  try {
    return await openLedger(ledgerPlace(process.env));
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    process.stderr.write(`agon: nothing is kept on record. ${errorLine(error)}\n`);
    return null;
  }
}
