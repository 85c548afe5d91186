import { readSettings } from './read-settings.ts';
import type { Settings } from './schema.ts';

type Environment = Record<string, string | undefined>;

/** Environment variables and the settings they stand for. Keys of providers are read where providers are. */
const variables: Record<string, { path: string; read?: (value: string) => unknown }> = {
  AGON_MODEL: { path: 'seats.default' },
  AGON_DEBATERS: { path: 'seats.debaters' },
  AGON_PREPROCESSOR: { path: 'seats.preprocessor' },
  AGON_SUPPORTER: { path: 'seats.supporter' },
  AGON_STRICT_DEBATER: { path: 'seats.strict-debater' },
  AGON_LOOSE_DEBATER: { path: 'seats.loose-debater' },
  AGON_ARBITER: { path: 'seats.arbiter' },
  AGON_AUDITOR: { path: 'seats.auditor', read: oneOrList },
  AGON_DETECTOR: { path: 'seats.detector', read: oneOrList },
  AGON_CRITIC: { path: 'seats.critic' },
  AGON_JUDGE: { path: 'seats.judge' },
  AGON_FACTOR_AGENT: { path: 'seats.factor-agent' },
  AGON_AFFIRMATIVE: { path: 'seats.affirmative' },
  AGON_DISSENTING: { path: 'seats.dissenting' },
  AGON_SYNTHESIZER: { path: 'seats.synthesizer' },
  AGON_CURATOR: { path: 'seats.curator' },
  AGON_POLICY: { path: 'policy' },
  AGON_LEDGER: { path: 'ledger', read: fileOrFalse },
  AGON_DATABASE_URL: { path: 'ledger' },
  AGON_EMBEDDING: { path: 'embedding' },
  AGON_LEARN_AUTO: { path: 'learn.auto', read: booleanOr },
  AGON_LEARN_REVIEW: { path: 'learn.review', read: booleanOr },
  AGON_CALIBRATION: { path: 'calibration', read: fileOrFalse },
  AGON_PRESET: { path: 'moderation.preset' },
  AGON_METHOD: { path: 'moderation.method' },
  AGON_ROUNDS: { path: 'moderation.rounds', read: numberOr },
  AGON_TURNS: { path: 'moderation.turns' },
  AGON_EARLY_STOP: { path: 'moderation.earlyStop', read: booleanOr },
  AGON_WITHOUT: { path: 'moderation.without', read: listOf },
  AGON_PRECEDENTS: { path: 'moderation.precedents', read: numberOr },
  AGON_VISION: { path: 'moderation.vision', read: booleanOr },
  AGON_OCR: { path: 'moderation.ocr', read: booleanOr },
  AGON_MAX_CHARACTERS: { path: 'moderation.maxCharacters', read: numberOr },
  AGON_EVALUATION_PRESET: { path: 'evaluation.preset' },
  AGON_EVALUATION_METHOD: { path: 'evaluation.method' },
  AGON_EVALUATION_ROUNDS: { path: 'evaluation.rounds', read: numberOr },
  AGON_EVALUATION_AGENTS: { path: 'evaluation.agents', read: numberOr },
  AGON_EVALUATION_CONSENSUS: { path: 'evaluation.consensus', read: booleanOr },
  AGON_EVALUATION_CONSENSUS_BOUND: { path: 'evaluation.consensusBound', read: numberOr },
  AGON_EVALUATION_AUDITOR_STUBBORNNESS: { path: 'evaluation.stubbornness.auditor', read: numberOr },
  AGON_EVALUATION_DETECTOR_STUBBORNNESS: { path: 'evaluation.stubbornness.detector', read: numberOr },
  AGON_EVALUATION_SMOOTHING: { path: 'evaluation.smoothing', read: numberOr },
  AGON_EVALUATION_DELTA: { path: 'evaluation.delta', read: numberOr },
  AGON_EVALUATION_GAMMA: { path: 'evaluation.gamma', read: numberOr },
  AGON_EVALUATION_REFERENCE: { path: 'evaluation.reference', read: fileOrFalse },
  AGON_EVALUATION_MAX_CHARACTERS: { path: 'evaluation.maxCharacters', read: numberOr },
  AGON_DOCUMENTS_PRESET: { path: 'documents.preset' },
  AGON_DOCUMENTS_METHOD: { path: 'documents.method' },
  AGON_DOCUMENTS_MAX_FACTORS: { path: 'documents.maxFactors', read: numberOr },
  AGON_DOCUMENTS_RETRIEVED: { path: 'documents.retrieved', read: numberOr },
  AGON_DOCUMENTS_CONCURRENCY: { path: 'documents.concurrency', read: numberOr },
  AGON_DOCUMENTS_OCR: { path: 'documents.ocr', read: booleanOr },
  AGON_DOCUMENTS_KEEP_ORIGINALS: { path: 'documents.keepOriginals', read: booleanOr },
  AGON_DOCUMENTS_MAX_CHARACTERS: { path: 'documents.maxCharacters', read: numberOr },
  AGON_DOCUMENTS_MAX_BYTES: { path: 'documents.limits.bytes', read: numberOr },
  AGON_DOCUMENTS_MAX_PAGES: { path: 'documents.limits.pages', read: numberOr },
  AGON_DOCUMENTS_MAX_ROWS: { path: 'documents.limits.rows', read: numberOr },
  AGON_HOST: { path: 'server.host' },
  AGON_PORT: { path: 'server.port', read: numberOr },
  AGON_AUTH: { path: 'server.auth' },
  AGON_ALLOWED_HOSTS: { path: 'server.allowedHosts', read: listOf },
  AGON_ORIGINS: { path: 'server.origins', read: listOf },
  AGON_SERVER_CONCURRENCY: { path: 'server.concurrency', read: numberOr },
  AGON_SERVER_QUEUE: { path: 'server.queue', read: numberOr },
  AGON_SERVER_BODY_BYTES: { path: 'server.bodyBytes', read: numberOr },
  AGON_SERVER_UPLOAD_BYTES: { path: 'server.uploadBytes', read: numberOr },
  AGON_SERVER_TIMEOUT_SECONDS: { path: 'server.timeoutSeconds', read: numberOr },
  AGON_SERVER_GRACE_SECONDS: { path: 'server.graceSeconds', read: numberOr },
  AGON_SERVER_DRAIN_SECONDS: { path: 'server.drainSeconds', read: numberOr },
  AGON_SERVER_RATE_PER_MINUTE: { path: 'server.ratePerMinute', read: numberOr },
  AGON_SECOND_REVIEW: { path: 'server.secondReview' },
  AGON_SERVER_STREAMS: { path: 'server.streams', read: numberOr },
  AGON_FETCH_IMAGES: { path: 'server.fetch.images', read: booleanOr },
  AGON_FETCH_WEBHOOKS: { path: 'server.fetch.webhooks', read: booleanOr },
  AGON_CONCURRENCY: { path: 'defaults.concurrency', read: numberOr },
  AGON_REQUESTS_PER_MINUTE: { path: 'defaults.requestsPerMinute', read: numberOr },
  AGON_TOKENS_PER_MINUTE: { path: 'defaults.tokensPerMinute', read: numberOr },
  AGON_TIMEOUT_MS: { path: 'defaults.timeoutMs', read: numberOr },
  AGON_RETRIES: { path: 'defaults.retries', read: numberOr },
  AGON_CACHE: {
    path: 'cache',
    read: (value) => (value === 'false' || value === '0' ? false : value === 'ledger' ? value : { directory: value }),
  },
  AGON_BUDGET_ITEM_USD: { path: 'budget.itemUsd', read: numberOr },
  AGON_BUDGET_ITEM_TOKENS: { path: 'budget.itemTokens', read: numberOr },
  AGON_BUDGET_RUN_USD: { path: 'budget.runUsd', read: numberOr },
  AGON_BUDGET_RUN_TOKENS: { path: 'budget.runTokens', read: numberOr },
  AGON_TELEMETRY: {
    path: 'telemetry',
    read: (value) =>
      (
        {
          content: { content: true },
          '1': { content: false },
          true: { content: false },
          '0': false,
          false: false,
        } as Record<string, unknown>
      )[value] ?? value,
  },
};

export const settingVariables = Object.entries(variables).map(([name, { path }]) => ({ name, path }));

/** The settings that the environment gives. An empty variable counts as absent. */
export function settingsFromEnvironment(environment: Environment): Settings {
  const given: Record<string, unknown> = {};
  for (const [name, { path, read }] of Object.entries(variables)) {
    const value = environment[name];
    if (value !== undefined && value !== '') place(given, path.split('.'), read ? read(value) : value);
  }
  return readSettings(given, 'environment', variableOf);
}

/** Keys and folders stay, what would set something goes: for work whose settings are on record already. */
export function withoutSettings(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  const set = new Set(settingVariables.map(({ name }) => name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !set.has(name)));
}

function variableOf(path: string): string {
  return (
    settingVariables.find((variable) => path === variable.path || path.startsWith(`${variable.path}.`))?.name ?? path
  );
}

function place(target: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key!] = value;
  else place((target[key!] ??= {}) as Record<string, unknown>, rest, value);
}

function listOf(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

function oneOrList(value: string): unknown {
  const values = listOf(value);
  return values.length === 1 ? values[0] : values;
}

function fileOrFalse(value: string): unknown {
  return value === 'false' || value === '0' ? false : value;
}

function numberOr(value: string): unknown {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function booleanOr(value: string): unknown {
  return ({ true: true, '1': true, false: false, '0': false } as Record<string, boolean>)[value] ?? value;
}
