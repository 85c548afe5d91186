import manifest from '../../../package.json' with { type: 'json' };

/** Agon's own version, for `--version` and for the record of every answer. */
export const version: string = manifest.version;
