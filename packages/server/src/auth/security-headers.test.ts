import { renderReport } from '@agonhq/core/app';
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { page } from '@agonhq/engine/reports';
import { hostileAnalysis, quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { hostileAnswer } from '@agonhq/test/fixtures/evaluation-answers.ts';
import { replyWithMedia } from '../reply.ts';
import { readPagePolicy, securityHeaders } from './security-headers.ts';

/** A policy by its directives. */
const read = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1).join(' ')]),
  );
const closed = { 'default-src': "'none'", 'frame-ancestors': "'none'", 'base-uri': "'none'", 'form-action': "'none'" };

test('what is no page is allowed nothing', () => {
  expect(read(securityHeaders['content-security-policy']!)).toEqual(closed);
  expect(replyWithMedia('<b>text</b>', 'text/markdown; charset=utf-8').headers).toEqual({});
});

describe('a page of ours', () => {
  test('may run its own script, by its hash, and no other', () => {
    const source = `'sha256-${hash('sha256', 'document.title', 'base64')}'`;
    const withScript = page('A bench', '').replace("default-src 'none';", `default-src 'none'; script-src ${source};`);
    expect(read(readPagePolicy(withScript))).toMatchObject({
      ...closed,
      'script-src': source,
      'img-src': 'data:',
    });
  });

  test('without a script may run none', async () => {
    for (const answer of [unsafeAnswer, hostileAnswer, quarterlyAnalysis]) {
      const policy = readPagePolicy(await renderReport(answer, 'html'));
      expect(read(policy)).toMatchObject(closed);
      expect(policy).not.toContain('script');
    }
  });

  test('is given the same policy whatever was judged', async () => {
    expect(readPagePolicy(await renderReport(hostileAnalysis, 'html'))).toBe(
      readPagePolicy(await renderReport(quarterlyAnalysis, 'html')),
    );
  });

  test('carries its policy as a header', async () => {
    const report = await renderReport(quarterlyAnalysis, 'html');
    expect(replyWithMedia(report, 'text/html; charset=utf-8').headers['content-security-policy']).toBe(
      readPagePolicy(report),
    );
  });
});

test.each([
  '<!doctype html><html><head><title>x</title><meta http-equiv="Content-Security-Policy" content="default-src *">',
  '<p><meta http-equiv="Content-Security-Policy" content="script-src \'unsafe-inline\'">',
  'text <!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" ' +
    'content="default-src *">',
  '',
])('a policy that does not stand where our pages begin is not believed: %j', (page) => {
  expect(readPagePolicy(page)).toBe(securityHeaders['content-security-policy']);
});
