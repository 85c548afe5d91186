export { addPart, removePart } from './add-part.ts';
export { catalogue, type CataloguePart, type PartId } from './catalogue.ts';
export { everyPart, findPart, hasPart, locateFiles, partDigest, type LocatedFile } from './locate-part.ts';
export { findPartFolder, needPart } from './need-part.ts';
export { packageParts, type PackagePart, type PackagePartId } from './package-parts.ts';
export { partsFolder } from './parts-folder.ts';
