/** What the jobs are called. */
export const jobNames = { moderation: 'Moderation', evaluation: 'Evaluation', documents: 'Documents' } as const;
