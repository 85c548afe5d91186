export { openKnownImageLists, type KnownImage, type KnownImageLists, type LoadedList } from './open-lists.ts';
export { parseKnownImageList, readKnownImageList, type ListEntry } from './read-list.ts';
export { renderFoundImages } from './render-found.ts';
export { addToKnownImageList } from './write-list.ts';
