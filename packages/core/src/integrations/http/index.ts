/**
 * Bodies of requests and responses behind the guard (docs/guard.md).
 *
 * @module agon/http
 */
import '../../need-node.ts';
export { guardExpress } from './guard-express.ts';
export { guardFetch } from './guard-fetch.ts';
export { guardHono } from './guard-hono.ts';
export type { HttpGuardOptions } from './http-options.ts';
export {
  createGuard,
  renderGuardStats,
  type Guard,
  type GuardOptions,
  type GuardReport,
  type GuardStats,
  type GuardVerdict,
} from '../../guard/index.ts';
