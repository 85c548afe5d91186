import type { MiddlewareHandler } from 'hono';
import type { Guard } from '../../guard/index.ts';
import { answerGuarded } from './guard-fetch.ts';
import { openHttpGuard, type HttpGuardOptions } from './http-options.ts';

/**
 * A middleware for Hono.
 *
 * @example app.use('/chat', guardHono({ fields: ['/message'], responses: 'judge' }))
 */
export function guardHono(options: HttpGuardOptions = {}): MiddlewareHandler & { guard: Guard } {
  const http = openHttpGuard(options);
  const middleware: MiddlewareHandler = async (context, next) => {
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
