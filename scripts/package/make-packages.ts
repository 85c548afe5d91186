import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { packageParts, type PackagePart } from '@agonhq/engine/parts/package-parts';
import { bundled, neededByBundled } from './bundled.ts';
import { publishedDependencies, publishedPeers } from './list-dependencies.ts';
import { listReachableTypes, nameByPath } from './list-reachable-types.ts';
import { layOutRuntime, platforms, type Platform } from './runtimes.ts';

/*
 * `npm run package [folder]`: puts the packages together as they are published, each in a folder of its own: agon, its
 * parts, and what runs the models on each platform. The packages of the repository are one when they are published, and
 * their dependencies are together its own (list-dependencies.ts); which part has what is said by package-parts.ts,
 * bundled.ts and runtimes.ts. See link-command.ts for why the repository's own package.json has no `bin`.
 */

const root = path.join(import.meta.dirname, '..', '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'artifacts', 'packages'));
const wanted = process.argv.slice(3);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const verifier = 'dist/console/verifier.html';

rmSync(folder, { recursive: true, force: true });
if (isWanted(manifest.name)) makeCore(path.join(folder, manifest.name));
for (const part of packageParts) if (isWanted(part.package)) makePart(part, path.join(folder, part.package));
for (const platform of platforms) if (isWanted(platform.package)) makeRuntime(platform);
console.log(folder);

function makeCore(place: string): void {
  const {
    private: _,
    publishConfig,
    scripts: _scripts,
    devDependencies: _dev,
    workspaces: _workspaces,
    overrides: _overrides,
    allowScripts: _allow,
    ...published
  } = manifest;
  const elsewhere = new Set<string>([
    // The types of the ledger name it.
    ...bundled.filter((name) => name !== 'kysely'),
    'usearch',
    // pdfjs-dist brings it; we name it to pin its version here.
    '@napi-rs/canvas',
    ...packageParts.flatMap(({ brings }) => brings),
  ]);
  const ofParts = packageParts.flatMap((part) => part.folders.map((name) => path.join(root, name)));
  const types = listReachableTypes();
  const typesFolder = path.join(root, 'dist', 'types');
  for (const name of [...manifest.files, 'README.md', 'LICENSE'])
    cpSync(path.join(root, name), path.join(place, name), {
      recursive: true,
      filter: (file) =>
        !ofParts.includes(file) &&
        !(file.startsWith(`${typesFolder}${path.sep}`) && file.endsWith('.d.ts') && !types.has(file)),
    });
  // A quarter of what declarations of schemas take is the space before their lines.
  for (const file of types) {
    const copy = path.join(place, path.relative(root, file));
    writeFileSync(copy, nameByPath(readFileSync(copy, 'utf8').replaceAll(/^ +/gm, ''), file));
  }
  // It checks bundles in a browser, without the console.
  mkdirSync(path.join(place, 'dist', 'console'));
  cpSync(path.join(root, verifier), path.join(place, verifier));
  writeManifest(place, {
    ...published,
    ...publishConfig,
    // Whoever guards a model of the AI SDK has it: our types name its own.
    peerDependencies: { ...publishedPeers.peerDependencies, ai: `^${publishedDependencies['ai']}` },
    peerDependenciesMeta: { ...publishedPeers.peerDependenciesMeta, ai: { optional: true } },
    dependencies: {
      ...Object.fromEntries(Object.entries(publishedDependencies).filter(([name]) => !elsewhere.has(name))),
      ...Object.fromEntries(neededByBundled.map((name) => [name, readManifest(name).version])),
    },
    optionalDependencies: Object.fromEntries(platforms.map((platform) => [platform.package, manifest.version])),
  });
}

function makePart({ id, package: name, purpose, brings, folders }: PackagePart, place: string): void {
  const { version, author, engines } = manifest;
  mkdirSync(place, { recursive: true });
  for (const each of [...folders, 'LICENSE', 'NOTICES.md'])
    cpSync(path.join(root, each), path.join(place, each), { recursive: true });
  writeManifest(place, {
    name,
    version,
    description: `A part of Agon: ${purpose}.`,
    license: manifest.license,
    author,
    engines,
    dependencies: Object.fromEntries(brings.map((each) => [each, publishedDependencies[each]])),
  });
  writeFileSync(
    path.join(place, 'README.md'),
    `A part of [Agon](https://www.npmjs.com/package/@agonhq/agon) that ${purpose}. ` +
      'Agon asks for it when it is first needed; ' +
      `add it with \`agon add ${id}\`, or to a project with \`npm install ${name}\`.\n`,
  );
}

function makeRuntime(platform: Platform): void {
  const place = path.join(folder, platform.package);
  layOutRuntime(root, platform, place);
  writeManifest(place, {
    name: platform.package,
    version: manifest.version,
    description: `What runs the models of Agon on ${platform.os} ${platform.cpu}.`,
    license: 'MIT AND Apache-2.0',
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.os === 'linux' ? { libc: ['glibc'] } : {}),
    main: 'dist/index.js',
    exports: {
      '.': './dist/index.js',
      './usearch': './usearch/javascript/dist/cjs/usearch.js',
      './package.json': './package.json',
    },
    dependencies: {
      ...readVersions('onnxruntime-node', ['onnxruntime-common']),
      ...readVersions('usearch', ['bindings', 'node-gyp-build']),
    },
  });
}

/** What of a package's dependencies is needed to run it, in the version that is installed here. */
function readVersions(name: string, needed: readonly string[]): Record<string, string> {
  const { dependencies = {} } = readManifest(name);
  for (const each of needed) if (!(each in dependencies)) throw new Error(`${name} does not need ${each} any more.`);
  return Object.fromEntries(needed.map((each) => [each, readManifest(each).version]));
}

function readManifest(name: string): { version: string; dependencies?: Record<string, string> } {
  const text = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8');
  return JSON.parse(text) as ReturnType<typeof readManifest>;
}

function writeManifest(place: string, content: object): void {
  writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
}
