import { z } from 'zod';
import { scopes, type Scope } from '../api/index.ts';
import { sha256 } from '@agonhq/engine/hash';
import type { OpenIdSettings } from '@agonhq/core/settings';
import type { KeyHolder } from './keys.ts';

/** Somebody whom an OpenID provider knows, with those of their roles that mean something here. */
const personSchema = z.strictObject({
  subject: z.string().min(1).max(255),
  name: z.string().min(1).max(100),
  roles: z.array(z.string().max(200)).max(50),
});
export type Person = z.output<typeof personSchema>;

/**
 * People who sign in through the provider. Their session says who they are and which roles they had; what a role opens
 * is asked of the settings each time, so that a change counts at once.
 */
export interface People {
  /** What stands in a session where otherwise the id of a key does. */
  writeId(person: Person): string;
  /** Null for an id of something else, and for somebody whose roles open nothing any more. */
  findHolder(id: string): KeyHolder | null;
}

const prefix = 'openid-';

export function openPeople(settings: OpenIdSettings, team: string | null = null): People {
  // A session of another provider or client is none here.
  const secretHash = sha256(`openid ${settings.issuer} ${settings.clientId}`);
  return {
    writeId: (person) => `${prefix}${Buffer.from(JSON.stringify(person)).toString('base64url')}`,
    findHolder(id) {
      const person = readPerson(id);
      const granted = person && findTeamOfPerson(person, settings) === team ? listScopes(person.roles, settings) : [];
      if (!person || granted.length === 0) return null;
      const { subject, name } = person;
      const key = { id: `${prefix}${sha256(`${settings.issuer} ${subject}`).slice(-16)}`, name, reviewer: name };
      return { principal: { key, scopes: new Set(granted) }, secretHash };
    },
  };
}

function readPerson(id: string): Person | null {
  if (!id.startsWith(prefix)) return null;
  try {
    const said: unknown = JSON.parse(Buffer.from(id.slice(prefix.length), 'base64url').toString('utf8'));
    return personSchema.safeParse(said).data ?? null;
  } catch {
    // Whoever made it up: no session of ours.
    return null;
  }
}

/** What roles open, and what is open to everybody whom the provider knows. */
export function listScopes(roles: readonly string[], settings: OpenIdSettings): Scope[] {
  const granted = [...(settings.everybody ?? []), ...roles.flatMap((role) => ownRole(settings, role))];
  return scopes.filter((scope) => granted.includes(scope));
}

function ownRole({ roles = {} }: OpenIdSettings, role: string): readonly Scope[] {
  return Object.hasOwn(roles, role) ? roles[role]! : [];
}

/** The team that somebody's roles lead to: the first that the settings name. Null for the installation's own. */
export function findTeamOfPerson({ roles }: Pick<Person, 'roles'>, { teams = {} }: OpenIdSettings): string | null {
  return Object.entries(teams).find(([role]) => roles.includes(role))?.[1] ?? null;
}

/** The person that claims tell of; the roles are those that the settings name. */
export function readClaims(claims: Record<string, unknown>, settings: OpenIdSettings): Person {
  const named = [claims['name'], claims['preferred_username'], claims['email'], claims['sub']]
    .filter((name) => typeof name === 'string')
    .map((name) => name.replaceAll(/\p{C}/gu, '').trim().slice(0, 100))
    .find((name) => name !== '');
  const roles = findRoles(claims, settings.claim ?? 'groups').filter(
    (role) => ownRole(settings, role).length > 0 || Object.hasOwn(settings.teams ?? {}, role),
  );
  return personSchema.parse({
    subject: claims['sub'],
    name: named ?? 'somebody',
    roles: [...new Set(roles)].slice(0, 50),
  });
}

/** The texts at a claim, whose name may be a path: `realm_access.roles`. */
export function findRoles(claims: Record<string, unknown>, claim: string): string[] {
  const at = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim
        .split('.')
        .reduce<unknown>(
          (value, part) =>
            typeof value === 'object' && value !== null && Object.hasOwn(value, part)
              ? (value as Record<string, unknown>)[part]
              : undefined,
          claims,
        );
  if (typeof at === 'string') return [at];
  return Array.isArray(at) ? at.filter((role) => typeof role === 'string') : [];
}
