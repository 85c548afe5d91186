import type { GroupOf, Handlers } from '../handler.ts';

export const webhookHandlers = {} as Handlers<GroupOf<'webhooks'>>;
