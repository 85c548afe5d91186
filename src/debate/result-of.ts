/**
 * What a trial comes to, for whoever does not want to watch it.
 *
 * @example const answer = await resultOf(agon.judge(moderationJob, '…'))
 */
export async function resultOf<Result>(trial: AsyncGenerator<unknown, Result, void>): Promise<Result> {
  for (let next = await trial.next(); ; next = await trial.next()) if (next.done) return next.value;
}
