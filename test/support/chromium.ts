import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Without the parts that draw on a screen it does the same in less time. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM_PATH'] ?? places.find((place) => existsSync(place)) ?? places[0]!;

/** What the browser tests lack, in words; null when they lack nothing. Nothing is installed for them. */
export function missingChromium(): string | null {
  return existsSync(executablePath)
    ? null
    : `The browser tests need Chromium, and there is none at ${executablePath}. Install it (apt-get install ` +
        'chromium-headless-shell fonts-noto-core), or name another in CHROMIUM_PATH.';
}

let started: Promise<Browser> | undefined;

/**
 * A real browser: Debian's, or the one that CHROMIUM_PATH names. One serves all files of a process, each with contexts
 * of its own, and ends with the process.
 */
export async function startChromium(): Promise<Browser> {
  const missing = missingChromium();
  if (missing) throw new Error(missing);
  if (!(await started)?.isConnected()) started = launchChromium();
  return started!;
}

function launchChromium(): Promise<Browser> {
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
