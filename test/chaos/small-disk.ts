import { execFile } from 'node:child_process';
import { chown, mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of our own that can be filled and freed at once: in memory, so that no other disk feels it. */
export interface SmallDisk {
  folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): Promise<void>;
}

const megabyte = 1_048_576;
const attemptsAtMost = 40;
const pagesAhead = 16;

/** Throws where this process may not mount. */
export async function mountSmallDisk(folder: string, megabytes: number, owner?: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'agon-chaos', folder]);
  if (owner !== undefined) await chown(folder, owner, owner);
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, folder]);
  return {
    folder,
    /** Made as small as what it holds: not a byte more finds room, and no memory is taken for it. */
    async fill() {
      for (let attempt = 0; ; attempt += 1) {
        const { blocks, bfree, bsize } = await statfs(folder);
        try {
          await resize(String(Math.max(megabyte, (blocks - bfree + attempt * pagesAhead) * bsize)));
          return;
        } catch (error) {
          // More was written since it was measured than it is to hold.
          if (attempt === attemptsAtMost) throw error;
        }
      }
    },
    async free() {
      await resize(`${megabytes}m`);
    },
    async unmount() {
      await run('umount', ['--lazy', folder]);
    },
  };
}
