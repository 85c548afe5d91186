export { openKeys, type Keys, type NewKey } from './keys.ts';
export { readKey } from './key-text.ts';
export { shownKey } from './shown-key.ts';
