export { openKeys, type NewKey, showKey as shownKey } from './keys.ts';
export { readKey } from './key-text.ts';
