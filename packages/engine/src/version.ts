import manifest from '../../../package.json' with { type: 'json' };

/** What Agon is called on npm: package.json of the repository says it, and its parts are named after it. */
export const npmName: string = manifest.name;

/** Agon's own version, for `--version` and for the record of every answer. */
export const version: string = manifest.version;
