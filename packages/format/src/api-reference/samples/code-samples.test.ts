import { expect, test } from 'vitest';
import type { ApiExamples } from '../../docs-json/site-config.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { codeSamples } from './code-samples.ts';
import { sampleLanguages } from './sample-languages.ts';

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
  const samples = codeSamples(
    document as ApiDocument,
    document?.operations[0] as ApiOperation,
    [],
    settings,
  );
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
  const samples = samplesOf(operation, {
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  });
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
  const operation = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  };
  expect(samplesOf(operation).cURL).toContain("'https://api.example.com/users/{id}'");
});

test('custom samples come first, followed by generated ones in the missing languages', () => {
  const own = {
    'x-codeSamples': [
      { lang: 'python', source: 'call()' },
      { lang: 'js', label: 'SDK', source: 'run()' },
      { lang: 'go' },
    ],
  };
  expect(Object.keys(samplesOf(own))).toEqual(['Python', 'SDK', 'cURL']);
  const shell = { 'x-codeSamples': [{ lang: 'Shell', label: 'CLI', source: 'shop list' }] };
  expect(Object.keys(samplesOf(shell))).toEqual(['CLI', 'Python', 'JavaScript']);
  const unknown = { 'x-codeSamples': [{ lang: 'COBOL', source: 'CALL' }] };
  expect(Object.keys(samplesOf(unknown, {}, '/x', { languages: ['go', 'bash'] }))).toEqual([
    'COBOL',
    'Go',
    'cURL',
  ]);
});

test('files are uploaded as files, and forms are encoded', () => {
  const multipart = {
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: {
            properties: {
              file: { type: 'string', format: 'binary' },
              note: { type: 'string', example: 'hi' },
            },
          },
        },
      },
    },
  };
  expect(samplesOf(multipart).cURL).toContain("-F 'file=@example-file' \\\n  -F 'note=hi'");
  const form = {
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: { properties: { a: { type: 'string', example: 'x y' } } },
        },
      },
    },
  };
  expect(samplesOf(form).cURL).toContain("--data-urlencode 'a=x y'");
});

test('API keys are sent in the query or in a cookie as declared', () => {
  const schemes = {
    q: { type: 'apiKey', in: 'query', name: 'api-key' },
    c: { type: 'apiKey', in: 'cookie', name: 'sid' },
  };
  const { cURL } = samplesOf(
    { security: [{ q: [], c: [] }] },
    { components: { securitySchemes: schemes } },
    '/x',
  );
  expect(cURL).toContain("'https://api.example.com/x?api-key=<api-key>'");
  expect(cURL).toContain("-H 'Cookie: sid=<api-key>'");
});

test('a relative server is completed to a full URL', () => {
  expect(samplesOf({}, { servers: [{ url: '/v1' }] }, '/x').cURL).toContain(
    "'https://api.example.com/v1/x'",
  );
});

const double = (inside: string) => new RegExp(`"(?:${inside}|\\\\["\\\\/bfnrtu])*"`, 'g');
const single = /'(?:[^'\\]|\\[\s\S])*'/g;
/**
 * The literals of languages that write texts otherwise than JSON. One that would insert a variable
 * is none.
 */
const literals: Record<string, RegExp> = {
  cURL: /(?:'[^']*'|\\')+/g,
  Kotlin: double(String.raw`[^"\\$\n]|\\\$`),
  Dart: double(String.raw`[^"\\$\n]|\\\$`),
  // Two question marks can start a trigraph.
  C: double(String.raw`[^"\\?\n]|\?(?!\?)|\\\?`),
  'C++': double(String.raw`[^"\\?\n]|\?(?!\?)|\\\?`),
  Go: /"(?:[^"\\\n]|\\["\\nrtu])*"|`[^`]*`/g,
  PHP: single,
  Ruby: single,
  // Curly quotes count as quotes, and two quotes as one in the text.
  PowerShell: /'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*'/g,
};

test.each([...new Set([...sampleLanguages.values()].map(({ label }) => label))])(
  'no value of the description leaves its literal in %s',
  (label) => {
    const name = [...sampleLanguages].find(
      ([, language]) => language.label === label,
    )?.[0] as string;
    const sampleFor = (value: string) => {
      const operation = {
        parameters: [
          { name: value, in: 'header', required: true, schema: { type: 'string', example: value } },
        ],
        ...json({ example: { [value]: value } }),
      };
      return (
        samplesOf(operation, { servers: [{ url: `https://x/${value}` }] }, '/x', {
          languages: [name],
        })[label] ?? ''
      );
    };
    const code = (value: string) =>
      sampleFor(value).replace(literals[label] ?? double(String.raw`[^"\\\n]`), '""');
    const evil = `'; rm -rf / #"\n\${x}\`$e#{g}\\(h)??/\u2019\\`;
    expect(sampleFor(evil)).toContain('rm -rf');
    expect(code(evil)).toBe(code('harmless'));
  },
);
