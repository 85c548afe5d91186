import { scopes, type Scope } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { ApiKeyRow, Ledger } from '@agonhq/ledger';
import { errorCode, type LogLine } from '../log.ts';
import { makeKeyText, readKey, writeKey, isSameText } from './key-text.ts';
import type { Principal } from './principal.ts';

/** Writes down when keys were used: each at most once a minute, behind the back of requests. */
interface KeyUsage {
  note(id: string): void;
  /** Writes what was noted and not written yet. */
  close(): Promise<void>;
}

interface KeyUsageOptions {
  write(used: ReadonlyMap<string, Date>): Promise<void>;
  /** A ledger that takes nothing for a while is no reason to turn anybody away. */
  failed(error: unknown): void;
  now(): number;
}

const betweenWritesMs = 60_000;

function trackKeyUsage({ write, failed, now }: KeyUsageOptions): KeyUsage {
  const noted = new Map<string, Date>();
  const writtenAt = new Map<string, number>();
  const underWay = new Set<Promise<void>>();

  async function written(ids: readonly string[]): Promise<void> {
    const used = new Map(ids.flatMap((id) => (noted.has(id) ? [[id, noted.get(id)!] as const] : [])));
    if (used.size === 0) return;
    for (const id of used.keys()) {
      noted.delete(id);
      writtenAt.set(id, now());
    }
    try {
      await write(used);
    } catch (error) {
      for (const [id, at] of used) if (!noted.has(id)) noted.set(id, at);
      failed(error);
    }
  }

  return {
    note(id) {
      noted.set(id, new Date(now()));
      if (now() - (writtenAt.get(id) ?? -Infinity) < betweenWritesMs) return;
      const writing = written([id]).finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async close() {
      await Promise.all(underWay);
      await written([...noted.keys()]);
    },
  };
}

const fewestCharacters = 20;

/** The key that AGON_API_KEY holds, with every scope. */
interface EnvironmentKey {
  holder: KeyHolder;
  isPresented(key: string): boolean;
}

/** Null where it is not set. */
function readEnvironmentKey(environment: Record<string, string | undefined>): EnvironmentKey | null {
  const key = environment['AGON_API_KEY']?.trim();
  if (!key) return null;
  if (key.length < fewestCharacters)
    throw new AgonError(
      'short-api-key',
      `AGON_API_KEY has fewer than ${fewestCharacters} characters.`,
      'Set one that nobody can guess: openssl rand -base64 32.',
    );
  const secretHash = sha256(key);
  return {
    holder: {
      principal: { key: { id: environmentKeyId, name: 'AGON_API_KEY', reviewer: null }, scopes: new Set(scopes) },
      secretHash,
    },
    isPresented: (presented) => isSameText(sha256(presented), secretHash),
  };
}

const environmentKeyId = 'environment';

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  reviewer?: string;
  expiresAt?: Date;
}

/** Who holds a key, and what is kept of it. */
export interface KeyHolder {
  principal: Principal;
  secretHash: string;
}

/** The keys of a server. */
export interface Keys {
  /** Who presents a key; throws an AgonError (`wrong-api-key`) when it is not known, revoked or expired. */
  identify(key: string): Promise<Principal>;
  /** Who holds the key of an id, whoever asks; null when it is not known, revoked or expired. */
  findHolder(id: string): Promise<KeyHolder | null>;
  create(key: NewKey): Promise<{ row: ApiKeyRow; key: string }>;
  list(): Promise<readonly ApiKeyRow[]>;
  revoke(id: string): Promise<ApiKeyRow>;
  /** Whether there is any that can be used. */
  hasUsableKey(): Promise<boolean>;
  /** Writes down which were used. */
  close(): Promise<void>;
}

export interface KeysOptions {
  /** Whose keys they are; null for the installation's own. */
  team?: string | null;
  ledger: Pick<Ledger, 'keys'>;
  environment: Record<string, string | undefined>;
  log?: (line: LogLine) => void;
  /** For tests: what time it is. */
  now?: () => number;
}

/** How long a row is believed: what another process revokes counts after that. */
export const cachedMs = 3_000;
const mostCached = 1_000;

/** What the secret of an unknown key is held against, so that it is answered no sooner than a known one's. */
const nobodysHash = sha256('nobody');

export async function openKeys({
  ledger,
  environment,
  team = null,
  log = () => undefined,
  now = Date.now,
}: KeysOptions): Promise<Keys> {
  const fromEnvironment = team === null ? readEnvironmentKey(environment) : null;
  const believed = new Map<string, { row: Promise<ApiKeyRow | undefined>; until: number }>();
  const used = trackKeyUsage({
    write: (ids) => ledger.keys.markKeysUsed(ids),
    failed: (error) => log({ level: 'warn', event: 'keys-used', code: errorCode(error) }),
    now,
  });

  function rowOf(id: string): Promise<ApiKeyRow | undefined> {
    const held = believed.get(id);
    if (held && now() < held.until) return held.row;
    return believe(id, ledger.keys.findKey(id));
  }

  /** Only what is there is held: whoever guesses ids fills no memory, and a new key counts at once. */
  function believe(id: string, row: Promise<ApiKeyRow | undefined>): Promise<ApiKeyRow | undefined> {
    const held = { row, until: now() + cachedMs };
    believed.delete(id);
    believed.set(id, held);
    if (believed.size > mostCached) believed.delete(believed.keys().next().value!);
    const forget = () => believed.get(id) === held && believed.delete(id);
    row.then((found) => found ?? forget(), forget);
    return row;
  }

  const isUsable = ({ revokedAt, expiresAt }: ApiKeyRow) =>
    revokedAt === null && (expiresAt === null || expiresAt.getTime() > now());

  return {
    async identify(key) {
      if (fromEnvironment?.isPresented(key)) return fromEnvironment.holder.principal;
      const text = readKey(key);
      const row = text?.team === team ? await rowOf(text.id) : undefined;
      const isRight = isSameText(sha256(text?.secret ?? key), row?.secretHash ?? nobodysHash);
      if (!isRight || !row || !isUsable(row)) throw wrongKey();
      used.note(row.id);
      return principalOfRow(row);
    },
    async findHolder(id) {
      if (id === environmentKeyId) return fromEnvironment?.holder ?? null;
      const row = await rowOf(id);
      if (!row || !isUsable(row)) return null;
      used.note(row.id);
      return { principal: principalOfRow(row), secretHash: row.secretHash };
    },
    async create({ name, scopes: granted, reviewer, expiresAt }) {
      if (expiresAt && !(expiresAt.getTime() > now()))
        throw new AgonError(
          'bad-expiry',
          'The key’s expiry date is in the past.',
          'Give a date in the future, or none.',
        );
      const text = makeKeyText(team);
      const row: ApiKeyRow = {
        id: text.id,
        name,
        secretHash: sha256(text.secret),
        scopes: scopes.filter((scope) => granted.includes(scope)),
        reviewer: reviewer ?? null,
        createdAt: new Date(now()),
        lastUsedAt: null,
        expiresAt: expiresAt ?? null,
        revokedAt: null,
      };
      await ledger.keys.keepKey(row);
      return { row, key: writeKey(text) };
    },
    list: () => ledger.keys.listKeys(),
    async revoke(id) {
      const row = await ledger.keys.revokeKey(id);
      if (!row) throw unknownKey(id);
      void believe(id, Promise.resolve(row));
      return row;
    },
    async hasUsableKey() {
      return fromEnvironment !== null || (await ledger.keys.listKeys()).some(isUsable);
    },
    close: () => used.close(),
  };
}

function principalOfRow({ id, name, reviewer, scopes: granted }: ApiKeyRow): Principal {
  return { key: { id, name, reviewer }, scopes: new Set(scopes.filter((scope) => granted.includes(scope))) };
}

/** Does not say which: whoever found an old key learns nothing about it. */
export function wrongKey(): AgonError {
  return new AgonError(
    'wrong-api-key',
    'This key is not valid on this server.',
    'Create another: agon keys create --name NAME --scope judge.',
  );
}

function unknownKey(id: string): AgonError {
  if (id === environmentKeyId)
    return new AgonError(
      'unknown-key',
      'AGON_API_KEY is not on record: it is valid while the server runs with it.',
      'Start the server without it, or with another.',
    );
  return new AgonError(
    'unknown-key',
    'There is no key with this id.',
    'agon keys list shows them. An id is the middle part of its key.',
  );
}

/** A key as it is shown: of its secret, not even the hash. */
export function showKey(row: ApiKeyRow) {
  const { secretHash: _, ...shown } = row;
  return shown;
}
