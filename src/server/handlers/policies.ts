import type { GroupOf, Handlers } from '../handler.ts';

export const policyHandlers = {} as Handlers<GroupOf<'policies'>>;
