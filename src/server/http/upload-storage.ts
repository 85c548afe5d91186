import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** No upload takes so long: whoever made the folder has ended, whatever process has its number now. */
const staleMs = 3_600_000;

/** A folder for the files of one request. Its name says which process will take it away. */
export async function makeUploadFolder(folder: string): Promise<string> {
  const uploads = uploadsIn(folder);
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(uploads, `${process.pid}-`));
}

/** Takes away what a server that was killed has left. Says how many requests that was. */
export async function sweepUploads(folder: string): Promise<number> {
  const names = await readdir(uploadsIn(folder)).catch(() => []);
  const swept = await Promise.all(
    names.map(async (name) => {
      const place = path.join(uploadsIn(folder), name);
      const made = await stat(place).catch(() => null);
      if (!made || (isAlive(Number.parseInt(name, 10)) && Date.now() - made.mtimeMs < staleMs)) return false;
      await rm(place, { recursive: true, force: true });
      return true;
    }),
  );
  return swept.filter(Boolean).length;
}

function uploadsIn(folder: string): string {
  return path.join(folder, 'uploads');
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
