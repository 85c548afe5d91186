import type { Settings } from '../../settings/index.ts';

/** For what measures rather than judges: no case of it goes on record. */
export function offTheRecord(settings: Settings): Settings {
  return { ...settings, ledger: false, cache: settings.cache === 'ledger' ? false : settings.cache };
}
