export { deobfuscate } from './deobfuscation/deobfuscate.ts';
export { findInjections } from './find-injections.ts';
export { loadImage } from './load-image.ts';
export { inspectImage, thumbnail, type InspectedImage } from './inspect-image.ts';
export { closeTools, readImageText, type ImageText } from './read-image-text.ts';
