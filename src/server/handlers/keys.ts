import type { GroupOf, Handlers } from '../handler.ts';

export const keyHandlers = {} as Handlers<GroupOf<'keys'>>;
