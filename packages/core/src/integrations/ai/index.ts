/**
 * A middleware for Vercel's AI SDK (docs/guard.md).
 *
 * @module agon/ai
 */
import '../../need-node.ts';
export { guardMiddleware, type GuardMiddleware } from './guard-middleware.ts';
export {
  createGuard,
  renderGuardStats,
  type Guard,
  type GuardOptions,
  type GuardReport,
  type GuardStats,
  type GuardVerdict,
} from '../../guard/index.ts';
