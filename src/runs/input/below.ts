import path from 'node:path';
import { AgonError } from '../../errors.ts';

/** The absolute path of a file that an item names; items reach nothing outside `root`. */
export function below(root: string, file: string, what = 'image'): string {
  const resolved = path.resolve(root, file);
  const inside = path.relative(path.resolve(root), resolved);
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) {
    throw new AgonError('path-outside-root', `The ${what} ${file} lies outside ${root}.`, {
      library: `Name the folder that holds all ${what}s.`,
      cli: `Name the folder that holds all ${what}s with --root.`,
      api: 'Send the files with the run, and name each by its name alone.',
    });
  }
  return resolved;
}
