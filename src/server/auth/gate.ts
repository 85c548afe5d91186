import type { ServerSettings } from '../../settings/index.ts';
import type { ServerLimits } from '../limits.ts';
import type { Keys } from './keys.ts';
import type { Principal } from './principal.ts';

/** Who comes in, and under which conditions. */
export interface Gate {
  /** Throws when the request came by a name, or from a page, that is not allowed (`bad-host`, `bad-origin`). */
  check(request: Request): void;
  /** Who asks; throws when a key is needed or wrong. */
  principalOf(request: Request): Promise<Principal>;
  /** Counts a request of somebody; throws when it is one too many (`rate-limited`). */
  count(principal: Principal): void;
  /** What every answer carries: security headers, and CORS where it is on. */
  headers(request: Request): Record<string, string>;
  /** The answer to a preflight of CORS; null when the request is none. */
  preflight(request: Request): Response | null;
}

export interface GateOptions {
  keys: Keys;
  /** The address that the server is bound to. */
  host: string;
  settings: ServerSettings;
  limits: Pick<ServerLimits, 'ratePerMinute'>;
}

export function openGate(_options: GateOptions): Gate {
  throw new Error('not written yet');
}
