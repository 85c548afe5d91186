import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const wanted: Record<string, RegExp> = {
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
      for (const [part, names] of Object.entries(wanted)) {
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
