import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '@agonhq/engine/hash';

/*
 * `npm run release:check`: what goes into a release, and whether it may. Writes the bill of materials
 * (artifacts/sbom.cdx.json), and ends with 1 where a licence is unknown, a package runs a script at installation that
 * nobody allowed, a file of a build has no terms beside it, or a model is not the one that was measured. What needs
 * the registry is named, and done by .github/workflows/release.yml.
 */

/** Terms under which we may pass code on, or ask people to install it. */
const allowed = new Set([
  '0BSD',
  'AFL-2.1',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Zlib',
  // Of libvips, which npm installs as a library of its own that anybody can replace.
  'LGPL-3.0-or-later',
]);

/** Packages that do not say it in the usual words; somebody has read their licence. */
const readByHand: Readonly<Record<string, string>> = {
  duck: 'BSD-2-Clause',
  jstat: 'MIT',
  'png-js': 'MIT',
  usearch: 'Apache-2.0',
};

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
}

interface BillOfMaterials {
  metadata: { component: { 'bom-ref': string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Their packages have no file of their terms; package.json names them. */
const withoutText = new Set(['@ai-sdk/provider-utils', 'react-remove-scroll-bar']);

/** This repository, or another folder that is laid out like it. */
const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const { allowScripts = {} } = readJson('package.json') as { allowScripts?: Record<string, boolean> };
const packages = Object.entries((readJson('package-lock.json') as { packages: Record<string, Locked> }).packages)
  .filter(([place, { link }]) => place.includes('node_modules/') && link !== true)
  .map(([place, locked]) => ({ name: place.replace(/^.*node_modules\//, ''), ...locked }));
const shipped = packages.filter(({ dev }) => !dev);

const checks: [string, () => { found: string; wrong: string[] }][] = [
  ['bill of materials', writeBillOfMaterials],
  ['licences of what is installed', checkLicences],
  ['licences of what is bundled', checkBundled],
  ['scripts at installation', checkInstallScripts],
  ['models', checkModels],
];

let failed = false;
for (const [what, check] of checks) {
  const { found, wrong } = check();
  console.log(`${wrong.length === 0 ? '✓' : '✗'} ${what}: ${found}`);
  for (const line of wrong) console.log(`    ${line}`);
  failed ||= wrong.length > 0;
}
for (const [what, command] of [
  ['known vulnerabilities', 'npm audit --omit dev'],
  ['signatures of the registry', 'npm audit signatures'],
  ['provenance', 'npm publish --provenance'],
])
  console.log(`- ${what}: not run here, since it asks the registry; the release workflow runs \`${command}\``);
process.exitCode = failed ? 1 : 0;

/** npm's own `--omit dev` leaves out what developers need too (zod among it), so that it is left out here. */
function writeBillOfMaterials() {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const whole = JSON.parse(text) as BillOfMaterials;
  const names = new Set(shipped.map(({ name, version }) => `${name}@${version}`));
  const components = whole.components.filter((one) => names.has(one['bom-ref']));
  const dependencies = whole.dependencies
    .filter(({ ref }) => names.has(ref) || ref === whole.metadata.component['bom-ref'])
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((other) => names.has(other)) }));
  mkdirSync(path.join(root, 'artifacts'), { recursive: true });
  writeFileSync(
    path.join(root, 'artifacts', 'sbom.cdx.json'),
    `${JSON.stringify({ ...whole, components, dependencies }, null, 2)}\n`,
  );
  const listed = new Set(components.map((one) => one['bom-ref']));
  return {
    found: `${listed.size} components, CycloneDX, in artifacts/sbom.cdx.json`,
    wrong: [...names].filter((name) => !listed.has(name)).map((name) => `${name} is shipped, and is not in it`),
  };
}

function checkLicences() {
  const wrong = shipped.flatMap(({ name, version, license }) => {
    const said = readByHand[name] ?? license ?? 'nothing';
    return isAllowed(said) ? [] : [`${name} ${version} says ${said}`];
  });
  return { found: `${shipped.length} packages`, wrong };
}

/** `(MIT OR GPL-3.0-or-later)` may be had under either, `MIT AND Zlib` binds by both. */
function isAllowed(expression: string): boolean {
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => allowed.has(one)));
}

function checkBundled() {
  const files = ['licences.txt', 'client-licences.txt', 'console/licences.txt', 'report/licences.txt'];
  const wrong: string[] = [];
  let count = 0;
  for (const file of files) {
    const place = path.join(root, 'dist', file);
    if (!existsSync(place)) {
      wrong.push(`dist/${file} is not there: run \`npm run build\``);
      continue;
    }
    for (const part of readFileSync(place, 'utf8').split(`\n\n${'-'.repeat(80)}\n\n`)) {
      const [, name, license] = /^(\S+) \S+ \((.*)\)/.exec(part) ?? [];
      count += 1;
      if (!name || !isAllowed(license!)) wrong.push(`dist/${file}: ${part.split('\n')[0]} is under no terms we know`);
      else if (!part.includes('\n') && !withoutText.has(name))
        wrong.push(`dist/${file}: ${name} has no text of its licence beside it`);
    }
  }
  return { found: `${count} packages in ${files.length} builds`, wrong };
}

function checkInstallScripts() {
  const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript);
  const runs = scripted.filter(({ name }) => allowScripts[name] === true).map(({ name }) => name);
  return {
    found: `${scripted.length} packages have some, ${runs.length === 0 ? 'none' : runs.join(', ')} may run them`,
    wrong: scripted
      .filter(({ name }) => allowScripts[name] === undefined)
      .map(({ name }) => `${name} is not listed in allowScripts of package.json`),
  };
}

function checkModels() {
  const wrong: string[] = [];
  let count = 0;
  for (const folder of readdirSync(path.join(root, 'models'), { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    const place = path.join(root, 'models', folder.name);
    for (const [file, expected] of listHashes(place)) {
      count += 1;
      if (sha256(readFileSync(path.join(place, file))) !== expected)
        wrong.push(`models/${folder.name}/${file} has another hash than its manifest says`);
    }
  }
  return { found: `${count} files`, wrong };
}

/** A manifest lists hashes by file, or parts with a file and a hash. Parts of a package are checked when they load. */
function listHashes(folder: string): [string, string][] {
  const file = readdirSync(folder).find((name) => /^(?:guard|images)\.json$/.test(name));
  if (!file) throw new Error(`${folder} has no manifest.`);
  const { sha256: hashes = {}, parts = {} } = readJson(path.join(folder, file)) as {
    sha256?: Record<string, string>;
    parts?: Record<string, { file: string; package?: string; sha256: string }>;
  };
  const own = Object.values(parts).filter((part) => part.package === undefined);
  return [...Object.entries(hashes), ...own.map((part): [string, string] => [part.file, part.sha256])];
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.resolve(root, file), 'utf8'));
}
