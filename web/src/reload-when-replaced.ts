import { isServerUp } from './api/answers.ts';

const name = 'agon.reloaded-at';
const onceInMs = 30_000;

/**
 * A server that was upgraded has other files than this page knows: it is loaded again, once. Not while nobody
 * answers: what is on the page would be lost.
 */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => void reload());
}

async function reload(): Promise<void> {
  const last = Number(sessionStorage.getItem(name) ?? 0);
  if (Date.now() - last < onceInMs || !(await isServerUp())) return;
  sessionStorage.setItem(name, String(Date.now()));
  location.reload();
}
