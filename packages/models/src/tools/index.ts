export { deobfuscate } from './deobfuscation/deobfuscate.ts';
export { findInjections } from './find-injections.ts';
