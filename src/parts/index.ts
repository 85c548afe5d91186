export { addPart, removePart } from './add-part.ts';
export { catalogue, type Part, type PartId } from './catalogue.ts';
export { findPart, hasPart, locateFiles, partDigest, partsFolder, type LocatedFile } from './locate-part.ts';
