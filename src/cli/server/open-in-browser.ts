import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Shows an address in the default browser. Where there is none nothing happens: the address was printed. */
export function openInBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [command, ...given] = openers[platform] ?? ['xdg-open'];
  spawn(command, [...given, url], { detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref();
}
