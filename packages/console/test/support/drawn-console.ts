import path from 'node:path';
import { createContext, runInContext, Script } from 'node:vm';
import { parseHTML } from 'linkedom';
import { rolldown } from 'rolldown';
import { until } from '@agonhq/test/support/until.ts';

/*
 * The console without a browser: its own pages, client and router in a document of this process, before a real server.
 * It shows what stands there and does what is clicked and filled in, within milliseconds; how things look, and what the
 * keyboard does, is for the tests in a browser.
 */

const source = path.join(import.meta.dirname, '..', '..', 'src');

const entry = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory } from '@tanstack/react-router';
import { queries } from '${source}/api/queries.ts';
import { router } from '${source}/routing/router.tsx';
import { Toasts } from '${source}/components/toasts.tsx';

export function draw(place) {
  const history = createMemoryHistory({ initialEntries: [place] });
  router.update({ history });
  const root = createRoot(document.getElementById('console'));
  root.render(
    createElement(QueryClientProvider, { client: queries }, createElement(RouterProvider, { router }), createElement(Toasts)),
  );
  return {
    place: () => history.location.href,
    end() {
      root.unmount();
      queries.clear();
    },
  };
}`;

interface Drawn {
  place(): string;
  end(): void;
}

let compiled: Promise<Script> | undefined;

/** The whole console as one script; styles, and what reads PDFs, stay away. */
async function compile(): Promise<Script> {
  const name = 'console-without-browser';
  const bundle = await rolldown({
    input: name,
    platform: 'browser',
    logLevel: 'silent',
    shimMissingExports: true,
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env': '{}' } },
    plugins: [
      {
        name,
        resolveId: (id) => (id === name || /^(?:virtual:|node:|pdfjs-dist)|\?/.test(id) ? `\0${id}` : null),
        load(id) {
          if (id === `\0${name}`) return { code: entry, moduleType: 'js' };
          if (id.startsWith('\0') && !id.startsWith('\0rolldown'))
            return { code: 'export const pdfFolder = ""; export default "";', moduleType: 'js' };
          return id.endsWith('.css') ? { code: '', moduleType: 'js' } : null;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'agonConsole', codeSplitting: false });
  await bundle.close();
  return new Script(output[0].code, { filename: 'console.js' });
}

type Role = 'button' | 'link' | 'tab' | 'option';
type Name = string | RegExp;

/** What a document here has of elements; its types are of browsers. */
interface DrawnElement {
  readonly textContent: string;
  readonly tagName: string;
  value: string;
  checked: boolean;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<DrawnElement>;
  closest(selector: string): DrawnElement | null;
  dispatchEvent(event: unknown): boolean;
}

export interface DrawnPage {
  /** All that is read there, with single spaces: of the whole page, or of what a selector names. */
  read(selector?: string): string;
  /** The address as it is now. */
  place(): string;
  waitFor(text: Name): Promise<void>;
  click(role: Role, name: Name): Promise<void>;
  /** Writes, or chooses by the value of an option. */
  fill(label: Name, value: string): Promise<void>;
  /** Ticks a box, or one of several. */
  tick(label: Name, on?: boolean): Promise<void>;
  /** What stands in a field. */
  valueOf(label: Name): Promise<string>;
  /** Cuts the connection to the server, or mends it. */
  cut(isCut: boolean): void;
  /** Where a link leads; null where it cannot be followed. */
  leadsTo(name: Name): string | null;
  /** Whether a button can be pressed. */
  isReady(name: Name): boolean;
  /** The lines of a table, with what stands in each of their cells. */
  rows(table: string): string[][];
  has(role: Role, name: Name): boolean;
  close(): void;
}

/** Opens a page of the console of a server, as whoever has a key where one is given. */
export async function drawConsole(url: string, place: string, { key }: { key?: string } = {}): Promise<DrawnPage> {
  const script = await (compiled ??= compile());
  const { window, document } = parseHTML('<!doctype html><html><body><div id="console"></div></body></html>');
  let isCut = false;
  const surroundings = makeSurroundings(url, { window, document, key, isCut: () => isCut });
  createContext(surroundings);
  script.runInContext(surroundings);
  const drawn = (runInContext('agonConsole', surroundings) as { draw(place: string): Drawn }).draw(place);
  const body = document.body as unknown as DrawnElement;
  const all = (selector: string) => [...body.querySelectorAll(selector)];
  const fits = (text: string, name: Name) => (typeof name === 'string' ? text === name : name.test(text));
  const words = (element: DrawnElement | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

  /** Of a dialog, where one is open. */
  const inFront = (selector: string) => {
    const dialog = all('[role=dialog]').at(-1);
    return dialog ? [...dialog.querySelectorAll(selector)] : all(selector);
  };
  const named = (role: Role, name: Name) => {
    const selector = { button: 'button', link: 'a', tab: '[role=tab]', option: '[role=option]' }[role];
    return inFront(selector).find((one) => fits(one.getAttribute('aria-label') ?? words(one), name));
  };
  const field = (label: Name) => {
    const of = all('label').find((one) => fits(words(one), label));
    const id = of?.getAttribute('for');
    return (
      all('input, select, textarea').find((one) =>
        id ? one.getAttribute('id') === id : one.closest('label') === of,
      ) ?? all('input, select, textarea').find((one) => fits(one.getAttribute('aria-label') ?? '', label))
    );
  };
  const found = async (look: () => DrawnElement | undefined, what: Name): Promise<DrawnElement> => {
    let element: DrawnElement | undefined;
    await until(() => (element = look()) !== undefined, 10).catch(() => {
      throw new Error(`There is no ${String(what)} in: ${words(body)}`);
    });
    return element!;
  };
  const tell = (element: DrawnElement, type: string) =>
    element.dispatchEvent(
      Object.assign(new window.Event(type, { bubbles: true, cancelable: true }), { button: 0, ctrlKey: false }),
    );

  return {
    read: (selector) =>
      all(selector ?? '#console, [role=dialog]')
        .map(words)
        .join(' '),
    place: drawn.place,
    has: (role, name) => named(role, name) !== undefined,
    async waitFor(text) {
      const holds = () => (typeof text === 'string' ? words(body).includes(text) : text.test(words(body)));
      await until(holds, 10).catch(() => {
        throw new Error(`Nothing says ${String(text)} in: ${words(body)}`);
      });
    },
    async click(role, name) {
      const element = await found(() => named(role, name), name);
      if (role === 'tab') tell(element, 'mousedown');
      tell(element, 'click');
      const form = element.getAttribute('type') === 'submit' ? element.closest('form') : null;
      if (form) tell(form, 'submit');
    },
    async fill(label, value) {
      const holds = (one: DrawnElement) =>
        one.tagName !== 'SELECT' || [...one.querySelectorAll('option')].some((option) => option.value === value);
      const element = await found(() => [field(label)].find((one) => one && holds(one)), `${String(label)} ${value}`);
      // React notices what is set behind its back.
      const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value');
      own!.set!.call(element, value);
      tell(element, element.tagName === 'SELECT' ? 'change' : 'input');
    },
    async tick(label, on = true) {
      const element = await found(() => field(label), label);
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'checked')!.set!.call(element, on);
      tell(element, 'click');
    },
    valueOf: async (label) => (await found(() => field(label), label)).value,
    rows: (table) =>
      all(`[aria-label="${table}"] tbody tr, [role=table][aria-label="${table}"] [role=row]`).map((row) =>
        [...row.querySelectorAll('td, th, [role=cell], [role=rowheader], [role=columnheader]')].map(words),
      ),
    cut: (whether) => void (isCut = whether),
    leadsTo: (name) => named('link', name)?.getAttribute('href') ?? null,
    isReady: (name) => named('button', name)?.getAttribute('disabled') === null,
    close: drawn.end,
  };
}

/** A kind of element that no document here has. */
function Nothing(): void {}

/** What a page finds in a browser, as far as the console asks for it. */
function makeSurroundings(
  url: string,
  { window, document, key, isCut }: { window: object; document: object; key: string | undefined; isCut(): boolean },
): Record<string, unknown> {
  const kept = new Map<string, string>();
  const location = new URL(url);
  const quiet = () => undefined;
  const observer = class {
    observe = quiet;
    unobserve = quiet;
    disconnect = quiet;
  };
  const dom = window as Record<string, unknown>;
  teachSelects(dom['HTMLSelectElement'] as { prototype: object });
  teachInputs(dom['HTMLInputElement'] as { prototype: object });
  teachTextAreas(dom['HTMLTextAreaElement'] as { prototype: object });
  giveRoom(dom['Element'] as { prototype: object });
  Object.defineProperties(document, {
    location: { value: location },
    activeElement: { get: () => (document as { body: unknown }).body },
    hasFocus: { value: () => true },
    visibilityState: { value: 'visible' },
    // By this React knows that changes are told.
    oninput: { value: null },
  });
  const elements = Object.fromEntries(
    [
      'Element|Node|Event|CustomEvent|MutationObserver|DocumentFragment|HTMLElement|HTMLInputElement|HTMLSelectElement',
      'HTMLTextAreaElement|HTMLButtonElement|HTMLFormElement|SVGElement|NodeFilter|ShadowRoot',
    ]
      .flatMap((names) => names.split('|'))
      .map((name) => [name, dom[name] ?? Nothing]),
  );
  const surroundings: Record<string, unknown> = {
    ...elements,
    HTMLIFrameElement: Nothing,
    document,
    location,
    navigator: { userAgent: 'node', language: 'en-GB', onLine: true, clipboard: { writeText: quiet } },
    localStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    },
    matchMedia: () => ({ matches: false, addEventListener: quiet, removeEventListener: quiet }),
    requestAnimationFrame: (work: () => void) => setTimeout(work),
    cancelAnimationFrame: clearTimeout,
    getComputedStyle: () => ({ getPropertyValue: () => '', animationName: 'none' }),
    ResizeObserver: observer,
    IntersectionObserver: observer,
    ...Object.fromEntries(
      ['scrollTo', 'addEventListener', 'removeEventListener', 'dispatchEvent'].map((name) => [name, quiet]),
    ),
    history: { state: {}, pushState: quiet, replaceState: quiet },
    innerHeight: 900,
    innerWidth: 1440,
    scrollX: 0,
    scrollY: 0,
    devicePixelRatio: 1,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    setImmediate,
    queueMicrotask,
    structuredClone,
    async fetch(address: string, init: RequestInit = {}) {
      if (isCut()) throw new TypeError('fetch failed');
      const headers = new Headers(init.headers);
      if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
      return fetch(new URL(address, location), { ...init, headers });
    },
    Headers,
    Request,
    Response,
    FormData,
    File,
    Blob,
    URL,
    URLSearchParams,
    ReadableStream,
    AbortController,
    AbortSignal,
    DOMException,
    TextEncoder,
    TextDecoder,
    TextDecoderStream,
    TransformStream,
    MessageChannel,
    performance,
    crypto,
    btoa,
    atob,
    TypeError,
    Error,
    Uint8Array,
    ArrayBuffer,
    // Charts complain that they have no room.
    console: { ...console, warn: quiet },
  };
  surroundings['window'] = surroundings['self'] = surroundings['globalThis'] = surroundings;
  return surroundings;
}

interface DrawnSelect {
  querySelectorAll(selector: 'option'): Iterable<{ selected: boolean; value: string }>;
}

/** Selects have no value there, and no options in groups. */
function teachSelects({ prototype }: { prototype: object }): void {
  Object.defineProperties(prototype, {
    options: {
      configurable: true,
      get(this: DrawnSelect) {
        return [...this.querySelectorAll('option')];
      },
    },
    value: {
      configurable: true,
      get(this: DrawnSelect) {
        const options = [...this.querySelectorAll('option')];
        return (options.find(({ selected }) => selected) ?? options[0])?.value ?? '';
      },
      set(this: DrawnSelect, value: string) {
        const options = [...this.querySelectorAll('option')];
        // One that is told that it is not chosen takes the choice from the others.
        for (const option of options) option.selected = false;
        for (const option of options) if (option.value === value) option.selected = true;
      },
    },
  });
}

/** An input whose type is not given takes text. */
function teachInputs({ prototype }: { prototype: object }): void {
  Object.defineProperty(prototype, 'type', {
    configurable: true,
    get(this: DrawnElement) {
      return this.getAttribute('type') ?? 'text';
    },
    set(this: DrawnElement & { setAttribute(name: string, value: string): void }, type: string) {
      this.setAttribute('type', type);
    },
  });
  const ticked = new WeakMap<object, boolean>();
  Object.defineProperty(prototype, 'checked', {
    configurable: true,
    get(this: object) {
      return ticked.get(this) ?? false;
    },
    set(this: object, on: boolean) {
      ticked.set(this, on);
    },
  });
}

/** What is written into one, else its first text. */
function teachTextAreas({ prototype }: { prototype: object }): void {
  const written = new WeakMap<object, string>();
  Object.defineProperties(prototype, {
    value: {
      configurable: true,
      get(this: DrawnElement) {
        return written.get(this) ?? this.textContent;
      },
      set(this: object, text: string) {
        written.set(this, text);
      },
    },
    defaultValue: {
      configurable: true,
      get(this: DrawnElement) {
        return this.textContent;
      },
      set(this: { textContent: string }, text: string) {
        this.textContent = text;
      },
    },
  });
}

/** Everything is as large as a line: lists that draw what is in sight have some in sight. */
function giveRoom({ prototype }: { prototype: object }): void {
  const [width, height] = [1000, 40];
  Object.defineProperties(prototype, {
    getBoundingClientRect: {
      configurable: true,
      value: () => ({ x: 0, y: 0, top: 0, left: 0, right: width, bottom: height, width, height }),
    },
    offsetWidth: { configurable: true, get: () => width },
    offsetHeight: { configurable: true, get: () => height },
    scrollIntoView: { configurable: true, value: () => undefined },
  });
}
