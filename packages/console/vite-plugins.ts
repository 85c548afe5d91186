import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';
import { dark, light, type Palette } from '@agonhq/engine/reports/styles';

/** The console has the colours of the reports: one file says them. */
export function palette(): Plugin {
  const name = 'virtual:palette.css';
  const variables = (colours: Palette) =>
    Object.entries(colours)
      .map(([colour, value]) => `--${colour.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
      .join(' ');
  const [lightRules, darkRules] = [
    `color-scheme: light; ${variables(light)}`,
    `color-scheme: dark; ${variables(dark)}`,
  ];
  const sheet = [
    `:root { ${lightRules} }`,
    `:root[data-theme='dark'] { ${darkRules} }`,
    `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${darkRules} } }`,
  ].join('\n');
  return {
    name: 'agon-palette',
    // `?inline`: as a string.
    resolveId: (id) => (id.split('?')[0] === name ? `\0${id}` : undefined),
    load: (id) => (id.split('?')[0] === `\0${name}` ? sheet : undefined),
  };
}

const pdfParts: Record<string, RegExp> = {
  // How letters of Asian fonts that a PDF only names are told apart.
  cmaps: /\.bcmap$|^LICENSE/,
  // The fonts that a PDF may name without bringing them.
  standard_fonts: /./,
  // Decoders of some images, without WebAssembly, which the console's policy does not allow.
  wasm: /_nowasm_fallback\.js$|^LICENSE_(?:PDFJS_)?(?:JBIG2|OPENJPEG)$/,
};

/**
 * What pdfjs fetches beside itself when a PDF needs it: emitted as files of their own, in a folder that is named by
 * its version.
 */
export function pdfFiles(): Plugin {
  const name = 'virtual:pdf-files';
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const source = path.dirname(manifest);
  const folder = `assets/pdfjs-${(JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version}`;
  let built = false;
  return {
    name: 'agon-pdf-files',
    configResolved: ({ command }) => void (built = command === 'build'),
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? `export const pdfFolder = ${JSON.stringify(built ? `/${folder}/` : `/@fs${source}/`)};`
        : undefined,
    generateBundle() {
      for (const [part, names] of Object.entries(pdfParts)) {
        for (const file of readdirSync(path.join(source, part)).filter((each) => names.test(each)))
          this.emitFile({
            type: 'asset',
            fileName: `${folder}/${part}/${file}`,
            source: readFileSync(path.join(source, part, file)),
          });
      }
    },
  };
}

const inPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The terms of everything of others that a build put into its files, or copied, as one file beside them. */
export function licences(fileName = 'licences.txt', copied: readonly string[] = []): Plugin {
  return {
    name: 'agon-licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      this.emitFile({ type: 'asset', fileName, source: listTerms([...modules, ...copied]) });
    },
  };
}

/** The terms of the packages that these modules are of. */
export function listTerms(modules: readonly string[]): string {
  const folders = [...new Set(modules.flatMap((id) => inPackage.exec(id)?.[1] ?? []))].toSorted();
  return folders.map(readTerms).join(`\n\n${'-'.repeat(80)}\n\n`);
}

function readTerms(folder: string): string {
  const {
    name,
    version,
    license = 'see its authors',
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = existsSync(folder) ? readdirSync(folder).find((each) => /^licen[cs]e/i.test(each)) : undefined;
  return `${name} ${version} (${license})${file ? `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}` : ''}`;
}
