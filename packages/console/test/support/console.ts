import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Settings } from '@agonhq/core/settings';
import { startChromium } from '@agonhq/test/support/chromium.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';

/* The console in a real browser, before a real server and a real ledger. */

const artifacts = path.join(import.meta.dirname, '..', '..', '..', '..', 'artifacts', 'console');
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export const phone = { width: 390, height: 844 };
export const desk = { width: 1280, height: 900 };
/** The screen that most people have at work. */
const work = { width: 1440, height: 900 };

const looks: readonly {
  look: string;
  scheme: 'light' | 'dark';
  size: { width: number; height: number };
  rules?: readonly string[];
}[] = [
  { look: 'light', scheme: 'light', size: work },
  { look: 'dark', scheme: 'dark', size: work, rules: ['color-contrast'] },
  {
    look: 'phone',
    scheme: 'light',
    size: phone,
    rules: ['target-size', 'scrollable-region-focusable', 'aria-hidden-focus', 'button-name', 'link-name'],
  },
  { look: 'phone-dark', scheme: 'dark', size: phone, rules: ['color-contrast'] },
];

export interface VisitOptions {
  /** Another person: a browser context of their own (`newPerson`). */
  person?: BrowserContext;
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
}

export interface ConsoleUnderTest<Server = ServerUnderTest> {
  readonly server: Server;
  /** Opens a page of the console. What it logs as an error, and what it asks of anybody else, fails the test. */
  visit(path: string, options?: VisitOptions): Promise<Page>;
  /** Somebody else, with cookies and storage of their own. */
  newPerson(): Promise<BrowserContext>;
  /** From here on, of this test, errors that match are expected. */
  forgive(pattern: RegExp): void;
}

/** Starts a browser and a server before the tests of a file. */
export function useConsole({
  settings = {},
  start,
  seed,
}: {
  settings?: Settings;
  start?: () => Promise<ServerUnderTest>;
  seed?: (server: ServerUnderTest) => Promise<void>;
} = {}): ConsoleUnderTest {
  return useConsoleOf(start ?? (() => runningServer(settings)), seed);
}

/** The same before a server of another kind. */
export function useConsoleOf<Server extends { readonly url: string } & AsyncDisposable>(
  start: () => Promise<Server>,
  seed?: (server: Server) => Promise<void>,
): ConsoleUnderTest<Server> {
  let browser: Browser;
  let server: Server;
  let contexts: BrowserContext[] = [];
  let alarms: string[] = [];
  let forgiven: RegExp[] = [];
  beforeAll(
    async () => {
      [browser, server] = await Promise.all([startChromium(), start()]);
      await seed?.(server);
      // What is seeded is larger where all tests are run.
    },
    isWhole ? 900_000 : 120_000,
  );
  afterEach(async () => {
    const unexpected = alarms.filter((alarm) => !forgiven.some((pattern) => pattern.test(alarm)));
    await Promise.all(contexts.map((context) => context.close()));
    [contexts, alarms, forgiven] = [[], [], []];
    expect(unexpected).toEqual([]);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  }, 60_000);

  const newPerson = async (options: { scheme?: 'light' | 'dark' } = {}) => {
    const context = await browser.newContext({
      viewport: desk,
      colorScheme: options.scheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Athens',
    });
    contexts.push(context);
    return context;
  };

  return {
    get server() {
      return server;
    },
    newPerson,
    forgive: (pattern) => void forgiven.push(pattern),
    async visit(where, { person, width, height, scheme } = {}) {
      const page = await (person ?? (await newPerson(scheme ? { scheme } : {}))).newPage();
      page.setDefaultTimeout(30_000);
      if (width !== undefined) await page.setViewportSize({ width, height: height ?? 900 });
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !/^(?:blob|data):/.test(request.url()))
          alarms.push(`asked ${request.url()}`);
      });
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') alarms.push(`said ${message.text()}`);
      });
      page.on('pageerror', (error) => alarms.push(`threw ${error.message}`));
      page.on('dialog', (dialog) => {
        alarms.push(`opened ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(`${server.url}${where}`);
      return page;
    },
  };
}

/**
 * Fails with what axe finds wrong on the page as it is: by all its rules, or by some. What is there for a moment only,
 * while colours change or a button waits, is not wrong.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  if (await page.evaluate<boolean>('!window.axe')) await page.evaluate(axe);
  const look = () =>
    page.evaluate<{ id: string; help: string; at: string[] }[]>(
      `axe.run(document, { resultTypes: ['violations']${rules ? `, runOnly: ${JSON.stringify(rules)}` : ''} ` +
        '}).then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.slice(0, ' +
        '5).map(({ html }) => html.slice(0, 200)) })))',
    );
  let found = await look();
  for (let again = 0; again < 3 && found.length > 0; again += 1) {
    await page.waitForTimeout(300);
    found = await look();
  }
  expect(found).toEqual([]);
}

/** Keeps a picture of the page as it is, for people who ask (AGON_PICTURES=1): artifacts/console/NAME.png. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env['AGON_PICTURES']) return;
  mkdirSync(artifacts, { recursive: true });
  await page.screenshot({ path: path.join(artifacts, `${name}.png`), animations: 'disabled' });
}

/** Keeps a figure beside the pictures: artifacts/console/figures.txt. */
export function measured(what: string, figure: string): void {
  mkdirSync(artifacts, { recursive: true });
  appendFileSync(path.join(artifacts, 'figures.txt'), `${what}: ${figure}\n`);
}

/**
 * The page in light and in dark, at work and on a phone: accessible, no wider than the screen, and kept as pictures where they are asked for.
 * Other colours and widths are checked for what they change.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const { look, scheme, size, rules } of isWhole ? looks : looks.filter((one) => one.scheme === 'light')) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    // From the top: what lies half under a header that stays is no target.
    await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await picture(page, `${name}-${look}`);
    await expectAccessible(page, rules);
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
      `${name} is too wide in ${look}`,
    ).toBeLessThanOrEqual(0);
    if (size === work) await expectWholeTables(page, name);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desk);
}

/** No table of a page is cut at work. */
async function expectWholeTables(page: Page, name: string): Promise<void> {
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[role=region]:has(> table)')]
      .filter((region) => region.scrollWidth > region.clientWidth).map((region) => region.ariaLabel)`,
  );
  expect(cut, `tables of ${name} are cut at 1440 pixels`).toEqual([]);
}
