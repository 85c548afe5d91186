const name = 'agon.reloaded-at';
const onceInMs = 30_000;

/** A server that was upgraded has other files than this page knows: it is loaded again, once. */
export function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(name) ?? 0);
    if (Date.now() - last < onceInMs) return;
    event.preventDefault();
    sessionStorage.setItem(name, String(Date.now()));
    location.reload();
  });
}
