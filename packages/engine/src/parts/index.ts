export { addPart, removePart } from './add-part.ts';
export { catalogue, type CataloguePart, type PartId } from './catalogue.ts';
export * from './locate-part.ts';
export { packageParts, type PackagePart, type PackagePartId } from './package-parts.ts';
export { partsFolder } from './parts-folder.ts';
