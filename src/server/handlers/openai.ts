import type { GroupOf, Handlers } from '../handler.ts';

export const openAiHandlers = {} as Handlers<GroupOf<'openai'>>;
