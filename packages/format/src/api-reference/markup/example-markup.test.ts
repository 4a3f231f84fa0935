import { expect, test } from 'vitest';
import { fakePageRenderer } from '../../../../../test/support/fake-page-renderer.ts';
import type { ApiDocument } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { type RenderOperationOptions, renderOperation } from './render-operation.ts';

function render(tree: object, index = 0, options: RenderOperationOptions = {}) {
  const document = parseApiDocument(JSON.stringify({ openapi: '3.1.0', ...tree }), 'x.json')
    .document as ApiDocument;
  const page = fakePageRenderer();
  const operation = document.operations[index];
  if (!operation) throw new Error('The test document has no such operation.');
  return { ...renderOperation(document, operation, page, options), page };
}

test('an audio example with a URL has a player', () => {
  const url = 'https://files.example.com/hello.mp3?a=1&b=2';
  const content = (examples: object) => ({
    200: { description: 'Sound', content: { 'audio/mpeg': examples } },
  });
  const of = (examples: object) =>
    render({ paths: { '/say': { get: { responses: content(examples) } } } }).page.aside.join('');
  const player =
    'preload="none" aria-label="200" src="https://files.example.com/hello.mp3?a=1&amp;b=2"></audio>';
  expect(of({ example: url })).toContain(player);
  expect(of({ examples: { short: { externalValue: url } } })).toContain(player);
  expect(of({ example: 'RIFF…' })).not.toContain('<audio');
});

test('every named example of a request body and of the responses is on the page, in all of its content types', () => {
  const names = Array.from({ length: 12 }, (_, index) => `case${index}`);
  const examples = (side: string) =>
    Object.fromEntries(
      names.map((name) => [name, { summary: `The ${side} ${name}`, value: { [side]: name } }]),
    );
  const post = {
    requestBody: {
      content: {
        'application/json': { examples: examples('sent') },
        'application/x-www-form-urlencoded': { examples: examples('sent') },
        'application/xml': { example: '<sent/>' },
      },
    },
    responses: {
      200: { description: 'OK', content: { 'application/json': { examples: examples('answer') } } },
      404: {
        description: 'None',
        content: { 'application/json': { examples: examples('fault') } },
      },
    },
  };
  const { page, markdown } = render({ paths: { '/x': { post } } });
  const [requests = '', bodies = '', responses = ''] = page.aside;
  expect(requests).toContain('curl');
  for (const name of names) {
    expect(bodies).toContain(`data-title="The sent ${name}"`);
    expect(responses).toContain(`data-title="200 The answer ${name}"`);
    expect(responses).toContain(`data-title="404 The fault ${name}"`);
    expect(markdown).toContain(
      `## Example body (The sent ${name})\n\n\`\`\`json\n{\n  "sent": "${name}"`,
    );
    expect(markdown).toContain(`## Example response (404 The fault ${name})`);
  }
  expect(bodies).toContain('data-title="application/xml"');
  // The form has the same examples.
  expect(bodies.match(/role="tab"/g)).toHaveLength(names.length + 1);
  expect(
    render({
      paths: { '/x': { post: { ...post, requestBody: { content: { 'application/json': {} } } } } },
    }).page.aside,
  ).toHaveLength(2);
});

test('the examples of a page are limited in number and size', () => {
  const many = (item: object) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, item]));
  const body = (size: number) => {
    const content = { 'application/json': { examples: many({ value: 'x'.repeat(size) }) } };
    const post = {
      requestBody: { content },
      responses: { 200: { $ref: '#/components/responses/All' } },
    };
    return render({
      paths: { '/x': { post } },
      components: { responses: { All: { description: 'OK', content } } },
    });
  };
  expect(body(10).page.aside[1]?.match(/role="tab"/g)).toHaveLength(50);
  const large = body(15_000);
  expect(large.page.aside.join('').length).toBeLessThan(1_000_000);
  expect(large.markdown.length).toBeLessThan(1_000_000);
});
