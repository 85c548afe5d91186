import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** What the browser tests lack, in words; null when they lack nothing. Nothing is installed for them. */
export function missingChromium(): string | null {
  return existsSync(executablePath)
    ? null
    : `The browser tests need Chromium, and there is none at ${executablePath}. Install it (apt-get install ` +
        'chromium fonts-noto-core), or name another in CHROMIUM_PATH.';
}

/** A real browser: Debian's, or the one that CHROMIUM_PATH names. */
export async function startChromium(): Promise<Browser> {
  const missing = missingChromium();
  if (missing) throw new Error(missing);
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-color-profile=srgb',
    ],
  });
}
