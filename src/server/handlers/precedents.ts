import type { GroupOf, Handlers } from '../handler.ts';

export const precedentHandlers = {} as Handlers<GroupOf<'precedents' | 'learning'>>;
