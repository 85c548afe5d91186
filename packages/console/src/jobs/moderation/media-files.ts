import { formatPlural } from '@agonhq/engine/view';

/* Files that are judged beside a text. The server tells by their bytes what they are. */

export type AcceptedMedia = 'image' | 'audio' | 'video';

/** How many of a kind are judged at once. */
const most: Record<AcceptedMedia, number> = { image: 16, audio: 4, video: 4 };

/** Browsers know few types by name; these are told by their ending. */
const endings: readonly [RegExp, AcceptedMedia][] = [
  [/\.(?:wav|mp3|m4a|aac|ogg|oga|opus|flac)$/i, 'audio'],
  [/\.(?:mp4|m4v|mov|webm|mkv)$/i, 'video'],
];

export const acceptedFiles = 'image/*,audio/*,video/*,.flac,.m4a,.opus,.mkv,.mov';

export function findMediaKind({ type, name }: File): AcceptedMedia | null {
  const [, named] = /^(image|audio|video)\//.exec(type) ?? [];
  return (named as AcceptedMedia | undefined) ?? endings.find(([ending]) => ending.test(name))?.[1] ?? null;
}

/** Files with the ids under which they are judged: `image-1`, `audio-1`, `video-2`. */
export function nameFiles(files: readonly File[]): Map<string, File> {
  const counts = { image: 0, audio: 0, video: 0 };
  return new Map(
    files.flatMap((file) => {
      const kind = findMediaKind(file);
      return kind ? [[`${kind}-${(counts[kind] += 1)}`, file] as const] : [];
    }),
  );
}

/** As many of each kind as are judged at once. */
export function keepMostFrames(files: readonly File[]): File[] {
  const counts = { image: 0, audio: 0, video: 0 };
  return files.filter((file) => {
    const kind = findMediaKind(file);
    return kind !== null && (counts[kind] += 1) <= most[kind];
  });
}

/** Why files cannot be sent together; null when they can. In base64 they take a third more. */
export function findExcess(files: readonly File[], { bodyBytes }: { bodyBytes: number }): string | null {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const taken = Math.floor((Math.max(0, bodyBytes - 100_000) * 3) / 4);
  if (bytes <= taken) return null;
  return (
    `${formatPlural(files.length, 'file')} of ${formatMegabytes(bytes)} MB cannot be sent at once: this server takes ` +
    `${formatMegabytes(taken)} MB. Compress or cut, or remove some.`
  );
}

export function formatMegabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
}

export function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`${file.name} could not be read.`)));
    // What a server sees is what the bytes are, whatever the browser calls them.
    reader.readAsDataURL(new Blob([file], { type: 'application/octet-stream' }));
  });
}
