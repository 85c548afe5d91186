import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const inPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** The terms of everything that the build put into the console's files, as one file beside them. */
export function licences(): Plugin {
  return {
    name: 'agon-licences',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      const folders = [...new Set(modules.flatMap((id) => inPackage.exec(id)?.[1] ?? []))].toSorted();
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: folders.map(termsOf).join(`\n\n${'-'.repeat(80)}\n\n`),
      });
    },
  };
}

function termsOf(folder: string): string {
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
