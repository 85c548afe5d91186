import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** A real browser: Debian's, or the one that CHROMIUM_PATH names. Nothing is downloaded. */
export async function startChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`The browser tests need Chromium, and there is none at ${executablePath}. Install it (apt-get install chromium fonts-noto-core), or name another in CHROMIUM_PATH.`);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--force-color-profile=srgb'] });
}
