import { expect, test } from 'vitest';
import type { ApiExamples } from '../../docs-json/site-config.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { codeSamples } from './code-samples.ts';

function samplesOf(
  operation: object,
  rest: object = {},
  route = '/users/{id}',
  settings: Partial<ApiExamples> = {},
): Record<string, string> {
  const tree = {
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example.com' }],
    paths: { [route]: { post: operation } },
    ...rest,
  };
  const { document } = parseApiDocument(JSON.stringify(tree), 'x.json');
  const samples = codeSamples(document as ApiDocument, document?.operations[0] as ApiOperation, [], settings);
  return Object.fromEntries(samples.map((sample) => [sample.label, sample.code]));
}

const json = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });

test('a request has its server, path, required parameters, credentials, and body', () => {
  const operation = {
    security: [{ key: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'a b' } },
      { name: 'verbose', in: 'query', required: true, schema: { type: 'boolean' } },
      { name: 'page', in: 'query', schema: { type: 'integer' } },
    ],
    ...json({
      properties: {
        name: { type: 'string', example: "O'Hara" },
        active: { type: 'boolean' },
        note: { type: ['string', 'null'], example: 'a "b"' },
      },
    }),
  };
  const samples = samplesOf(operation, { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } });
  const url = 'https://api.example.com/users/a%20b?verbose=true';
  expect(samples.cURL).toBe(
    [
      `curl -X POST '${url}' \\`,
      "  -H 'Authorization: Bearer <token>' \\",
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      `  "name": "O'\\''Hara",`,
      '  "active": true,',
      '  "note": "a \\"b\\""',
      "}'",
    ].join('\n'),
  );
  expect(samples.Python).toContain(`url = "${url}"`);
  expect(samples.Python).toContain('"active": True');
  expect(samples.Python).toContain('requests.post(url, json=payload, headers=headers)');
  expect(samples.JavaScript).toContain(`fetch("${url}"`);
  expect(samples.JavaScript).toContain('"Authorization": "Bearer <token>"');
});

test('a path parameter without an example keeps its placeholder', () => {
  const operation = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] };
  expect(samplesOf(operation).cURL).toContain("'https://api.example.com/users/{id}'");
});

test('custom samples come first, followed by generated ones in the missing languages', () => {
  const own = {
    'x-codeSamples': [{ lang: 'python', source: 'call()' }, { lang: 'js', label: 'SDK', source: 'run()' }, { lang: 'go' }],
  };
  expect(Object.keys(samplesOf(own))).toEqual(['Python', 'SDK', 'cURL']);
  const shell = { 'x-codeSamples': [{ lang: 'Shell', label: 'CLI', source: 'shop list' }] };
  expect(Object.keys(samplesOf(shell))).toEqual(['CLI', 'Python', 'JavaScript']);
  const unknown = { 'x-codeSamples': [{ lang: 'COBOL', source: 'CALL' }] };
  expect(Object.keys(samplesOf(unknown, {}, '/x', { languages: ['go', 'bash'] }))).toEqual(['COBOL', 'Go', 'cURL']);
});

test('custom samples are the only ones if the site generates none', () => {
  const own = { 'x-codeSamples': [{ lang: 'go', source: 'run()' }] };
  expect(Object.keys(samplesOf(own, {}, '/x', { autogenerate: false }))).toEqual(['Go']);
});

test('files are uploaded as files, and forms are encoded', () => {
  const multipart = {
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string', example: 'hi' } } },
        },
      },
    },
  };
  expect(samplesOf(multipart).cURL).toContain("-F 'file=@example-file' \\\n  -F 'note=hi'");
  const form = {
    requestBody: {
      content: { 'application/x-www-form-urlencoded': { schema: { properties: { a: { type: 'string', example: 'x y' } } } } },
    },
  };
  expect(samplesOf(form).cURL).toContain("--data-urlencode 'a=x y'");
});

test('API keys are sent in the query or in a cookie as declared', () => {
  const schemes = { q: { type: 'apiKey', in: 'query', name: 'api-key' }, c: { type: 'apiKey', in: 'cookie', name: 'sid' } };
  const { cURL } = samplesOf({ security: [{ q: [], c: [] }] }, { components: { securitySchemes: schemes } }, '/x');
  expect(cURL).toContain("'https://api.example.com/x?api-key=<api-key>'");
  expect(cURL).toContain("-H 'Cookie: sid=<api-key>'");
});

test('a relative server is completed to a full URL', () => {
  expect(samplesOf({}, { servers: [{ url: '/v1' }] }, '/x').cURL).toContain("'https://api.example.com/v1/x'");
});

test('a value of the description cannot escape its quotes', () => {
  const evil = `'; rm -rf / #"\n\${x}\``;
  const samples = samplesOf(
    {
      parameters: [{ name: evil, in: 'header', required: true, schema: { type: 'string', example: evil } }],
      ...json({ example: { [evil]: evil } }),
    },
    { servers: [{ url: `https://x/${evil}` }] },
    '/x',
  );
  // A shell command without its quoted parts must consist only of the command's own words.
  const unquoted = (samples.cURL ?? '').replaceAll("'\\''", '').replace(/'[^']*'/g, '');
  expect(unquoted).toMatch(/^curl -X POST[\s\\]*(?:-[Hd][\s\\]*)*$/);
  // Compiling is enough: text outside its quotes would not be valid JavaScript.
  const AsyncFunction = (async () => {}).constructor as new (code: string) => unknown;
  expect(() => new AsyncFunction(samples.JavaScript ?? '')).not.toThrow();
});
