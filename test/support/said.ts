import { expect } from 'vitest';

/** What a call answered, read through its schema: with the status that was expected. */
export async function said<Schema extends { parse(value: unknown): unknown }>(
  call: Promise<Response>,
  schema: Schema,
  status = 200,
) {
  const response = await call;
  const value: unknown = await response.json();
  expect({ status: response.status, value }).toMatchObject({ status });
  return schema.parse(value) as ReturnType<Schema['parse']>;
}
