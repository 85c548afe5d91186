export { inspectImage, thumbnail, type InspectedImage } from './images/inspect-image.ts';
export { loadImage } from './images/load-image.ts';
export { lookAtImage, type LookedAt } from './look-at-image.ts';
export { readImageText, type ImageText } from './read-image-text.ts';
export { closeEyes } from './runtime/eyes.ts';
export { checkParts, eyesDigest, locateParts } from './runtime/parts.ts';
