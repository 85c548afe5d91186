/** Launchers (npx, our own under an old Node) pass on the Ctrl-C that the terminal has already sent to everybody. */
const echoMs = 300;

/** A signal that the first Ctrl-C or SIGTERM aborts; the second ends the process at once. */
export function onInterrupt(): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  let first = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort(new Error('interrupted'));
    } else if (performance.now() - first > echoMs) process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return {
    signal: controller.signal,
    dispose: () => {
      // The echo of a Ctrl-C may still be on its way while the process tidies up: it must not end it by the signal.
      if (controller.signal.aborted) return;
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
    },
  };
}
