import type { Guard } from '../../guard/index.ts';
import { answerGuarded } from './guard-fetch.ts';
import { openHttpGuard, type HttpGuardOptions } from './http-options.ts';

/**
 * What of Hono's context the guard reads and sets. Named by its shape: the types of one Hono do not fit another's, not
 * even of the next patch release.
 */
interface HonoContext {
  req: { raw: Request };
  get res(): Response;
  set res(response: Response | undefined);
}
type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<void>;

/**
 * A middleware for Hono.
 *
 * @example app.use('/chat', guardHono({ fields: ['/message'], responses: 'judge' }))
 */
export function guardHono(options: HttpGuardOptions = {}): HonoMiddleware & { guard: Guard } {
  const http = openHttpGuard(options);
  const middleware: HonoMiddleware = async (context, next) => {
    const answer = await answerGuarded(context.req.raw, http, async (request) => {
      context.req.raw = request;
      await next();
      return context.res;
    });
    // Hono puts the headers of the response before on the next one, whose own are complete.
    context.res = undefined;
    context.res = answer;
  };
  return Object.assign(middleware, { guard: http.guard });
}
