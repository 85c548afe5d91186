import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/*
 * `npm run lint`: npm puts every package of this repository where all of them find it, so that a border holds only if
 * somebody looks. A package imports those that its package.json names, each by its public face (`exports`), and nothing
 * of another by a path; and dependencies go one way. Tests may reach whatever is exported.
 */

interface Manifest {
  name: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const root = path.join(import.meta.dirname, '..');
const scope = '@agonhq/';
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const packages = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((file) => {
    const folder = path.dirname(file);
    return [path.basename(folder), { folder, manifest: JSON.parse(read(file)) as Manifest }];
  }),
);
const complaints: string[] = [];

for (const [name, { folder, manifest }] of packages) {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const known = new Set(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }),
  );
  const used = new Set<string>();
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const isTest = /\.test\.tsx?$|\/test\//.test(file) || name === 'lab';
    for (const specifier of listImports(read(file))) {
      if (specifier.startsWith('.')) {
        const place = path.join(path.dirname(file), specifier);
        if (place.startsWith(`packages${path.sep}`) && !place.startsWith(`${folder}${path.sep}`))
          complaints.push(`${file} imports ${specifier}: name the package that it is of.`);
        continue;
      }
      const module = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      used.add(module);
      if (isBuiltin(specifier) || isTest) continue;
      if (!known.has(module) && !known.has(`@types/${module}`) && !specifier.startsWith('virtual:'))
        complaints.push(`${file} imports ${specifier}, which ${manifest.name} does not depend on.`);
    }
  }
  for (const other of Object.keys(dependencies).filter((one) => one.startsWith(scope))) {
    if (!used.has(other)) complaints.push(`${manifest.name} names ${other}, which it does not import.`);
    if (reaches(other, manifest.name)) complaints.push(`${manifest.name} and ${other} depend on each other.`);
  }
}

/** Every module that a file names, whether for its values or its types. */
function listImports(text: string): string[] {
  return [
    ...text
      .replaceAll(/^\s*\*.*$/gm, '')
      .matchAll(/^(?:import|export)\b[^;'"]*?\bfrom\s*'([^']+)'|^import '([^']+)'|\bimport\('([^'$]+)'\)/gm),
  ].map(([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!);
}

function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  const { dependencies = {} } = packages.get(from.slice(scope.length))!.manifest;
  seen.add(from);
  return Object.keys(dependencies).some(
    (one) => one === to || (one.startsWith(scope) && !seen.has(one) && reaches(one, to, seen)),
  );
}

for (const complaint of complaints) console.error(complaint);
console.log(`${packages.size} packages; what one takes of another is what their package.json say.`);
process.exit(complaints.length > 0 ? 1 : 0);
