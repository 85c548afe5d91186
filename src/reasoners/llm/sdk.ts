let sdk: Promise<typeof import('ai')> | undefined;

/** The AI SDK, loaded when a model is first needed. */
export function loadSdk(): Promise<typeof import('ai')> {
  // Kept, since even an import that is already loaded costs a tenth of a call when it is asked for again.
  sdk ??= import('ai').then((loaded) => {
    // The SDK prints its warnings to the console, into the middle of a user's output.
    globalThis.AI_SDK_LOG_WARNINGS ??= false;
    return loaded;
  });
  return sdk;
}
