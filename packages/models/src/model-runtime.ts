import { createRequire } from 'node:module';
import { npmName } from '@agonhq/engine/version';

const require = createRequire(import.meta.url);

/** The npm package that carries what runs models, for this machine alone. */
export const runtimePackage = `${npmName}-runtime-${process.platform}-${process.arch}`;

/** What runs models: our package for this platform, or onnxruntime-node with all platforms, which a clone has. */
export async function importRuntime(): Promise<typeof import('onnxruntime-node')> {
  if (!isInstalled(runtimePackage)) return import('onnxruntime-node');
  return require(runtimePackage) as typeof import('onnxruntime-node');
}

/** The index of vectors, found in the same way. */
export function requireVectorSearch(): typeof import('usearch') {
  // Required and not imported: the package's ES module looks for its binary by the caller's stack.
  return require(isInstalled(runtimePackage) ? `${runtimePackage}/usearch` : 'usearch') as typeof import('usearch');
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}
