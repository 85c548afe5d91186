import { expect, test } from 'vitest';
import { openApiDocument, operations, type Operation } from '../api/index.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';

test('its policy allows the scripts and styles of the server, and nothing else', async () => {
  await using server = await runningServer();
  const response = await server.call('/docs');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(
    "script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; default-src 'none'; " +
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
});

test('nothing stands in the page that runs or styles, and nothing is fetched from elsewhere', async () => {
  await using server = await runningServer();
  const page = await (await server.call('/docs')).text();
  expect(page).not.toMatch(/ (?:style|on\w+)="|<style/);
  expect([...page.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script)).toEqual(['', '']);
  expect([...page.matchAll(/ (?:src|href)="([^"]*)"/g)].filter(([, place]) => !/^(?:data:|\/\w)/.test(place!))).toEqual(
    [],
  );
});

test('every operation says how the client asks for it', () => {
  const { paths } = openApiDocument({ version: '1.2.3', server: 'http://127.0.0.1:4100' }) as unknown as {
    paths: Record<string, Record<string, { description: string }>>;
  };
  const describe = ({ path, method }: Operation) => paths[path]![method]!.description;
  for (const operation of operations as readonly Operation[])
    expect(describe(operation), operation.id).toContain(`client.${operation.id}(`);
  const all = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ description }) => description));
  expect(all.join('\n')).toContain("await client.moderations.create({ text: 'How do I kill a process on Linux?' })");
  expect(all.join('\n')).toContain('await client.cases.answer(id)');
  expect(all.join('\n')).toContain('for await (const event of client.house.news()) console.log(event)');
});
