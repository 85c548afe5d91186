export { deobfuscate } from './deobfuscation/deobfuscate.ts';
export { findInjections } from './injections.ts';
export { loadImage } from './image-files.ts';
export { inspectImage, thumbnail, type InspectedImage } from './images.ts';
export { closeTools, readImageText, type ImageText } from './ocr.ts';
