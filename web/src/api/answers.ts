/** Whether the server is there. */
export async function isServerUp(signal?: AbortSignal): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', ...(signal ? { signal } : {}) })).ok;
  } catch {
    return false;
  }
}
