export { openKeys, type Keys, type NewKey, shownKey } from './keys.ts';
export { readKey } from './key-text.ts';
