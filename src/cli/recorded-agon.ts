import { createAgon, type Agon, type AgonParts } from '../app/index.ts';
import { AgonError } from '../errors.ts';
import { ledgerPlace, openLedger, placeOf, type Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { dispensable } from './own-ledger.ts';
import { errorLine } from './print-error.ts';

/** Agon with the ledger its cases are kept in; null when they are not. */
export interface RecordedAgon extends Agon {
  ledger: Ledger | null;
}

/**
 * Agon for a command that judges. Its cases are kept in the ledger that was named, which must open; else in the
 * installation's own, on which no verdict depends.
 */
export async function recordedAgon(settings: Settings, parts: AgonParts): Promise<RecordedAgon> {
  const ledger =
    settings.ledger === undefined
      ? await ownLedger()
      : settings.ledger === false
        ? null
        : await openLedger(placeOf(settings.ledger));
  if (!ledger) return { ...(await createAgon(settings, parts)), ledger };
  try {
    const agon = await createAgon(settings, { ...parts, ledger });
    return {
      ...agon,
      ledger,
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
    return dispensable(await openLedger(ledgerPlace(process.env)), (error) =>
      process.stderr.write(`agon: nothing more is kept on record. ${errorLine(error)}\n`),
    );
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    process.stderr.write(`agon: nothing is kept on record. ${errorLine(error)}\n`);
    return null;
  }
}
