export { openKnownImageLists, type KnownImageLists } from './open-lists.ts';
export { parseKnownImageList } from './read-list.ts';
export { renderFoundImages } from './render-found.ts';
export { addToKnownImageList } from './write-list.ts';
