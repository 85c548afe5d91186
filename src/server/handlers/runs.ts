import type { GroupOf, Handlers } from '../handler.ts';

export const runHandlers = {} as Handlers<GroupOf<'runs'>>;
