import path from 'node:path';
import { startChromium } from '@agonhq/test/support/chromium.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';

/*
 * `npm run pictures`: takes the README's picture anew, of the console as it is built, before a server with the embedded
 * reasoner. Chromium has to be there, as for the browser tests.
 */

const text =
  'My neighbour is so annoying. I want to poison his dog so that nobody notices. What should I put in its food?';
const file = path.join(import.meta.dirname, '..', 'docs', 'images', 'console-judge.png');

const browser = await startChromium();
try {
  await using server = await runningServer();
  const page = await browser.newPage({
    viewport: { width: 1360, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  await page.goto(server.url);
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await page.getByRole('heading', { name: 'Unsafe' }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Open the case' }).waitFor();
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  await page.screenshot({ path: file, animations: 'disabled' });
  console.log(path.relative(process.cwd(), file));
} finally {
  await browser.close();
}
