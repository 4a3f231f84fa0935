import { describe, expect, it } from 'vitest';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { parseApiDocument } from '../parse-api-document.ts';
import { codeSamples } from './code-samples.ts';
import { sampleLanguages } from './sample-languages.ts';
import type { SampleRequest } from './sample-request.ts';

const hostile = `a"b'c\`d$e\${f}#{g}\\(h)\n</i>`;

const request: SampleRequest = {
  method: 'POST',
  url: 'https://api.example.com/users?q=1',
  headers: [
    ['Authorization', 'Bearer <token>'],
    ['Content-Type', 'application/json'],
    ['X-Note', hostile.replace('\n', ' ')],
  ],
  body: { kind: 'json', value: { name: hostile, active: true } },
};

const all = [...new Set(sampleLanguages.values())];

describe('a request example', () => {
  it.each(all.map((one) => [one.label, one] as const))(
    'in %s has the URL, the method, the credentials, and the body',
    (_, language) => {
      const code = language.write(request) ?? '';
      expect(code).toContain('https://api.example.com/users?q=1');
      expect(code.toUpperCase()).toContain('POST');
      expect(code).toContain('Bearer <token>');
      expect(code).toMatch(/name\\?"?/);
    },
  );

  it('for PowerShell doubles quotes, including curly ones', () => {
    const code = sampleLanguages
      .get('powershell')
      ?.write({ ...request, body: { kind: 'text', text: "it's ’ here" } });
    expect(code).toContain("$body = 'it''s ’’ here'");
  });

  it('for Kotlin and Dart escapes the start of a variable', () => {
    for (const name of ['kotlin', 'dart']) {
      const code = sampleLanguages
        .get(name)
        ?.write({ ...request, body: { kind: 'text', text: '$home' } });
      expect(code).toContain('"\\$home"');
    }
  });
});

function operationOf(operation: object): [ApiDocument, ApiOperation] {
  const tree = { openapi: '3.1.0', paths: { '/users': { post: operation } } };
  const { document } = parseApiDocument(JSON.stringify(tree), 'x.json');
  return [document as ApiDocument, document?.operations[0] as ApiOperation];
}

const body = (type: string) => ({
  requestBody: {
    content: {
      [type]: {
        schema: {
          required: ['a'],
          properties: { a: { type: 'string', example: 'A' }, b: { type: 'string', example: 'B' } },
        },
      },
    },
  },
});

describe('the languages of examples', () => {
  it('follow the site settings in order, without duplicates and unknown names', () => {
    const [document, operation] = operationOf(body('application/json'));
    const settings = { languages: ['go', 'nope', 'golang', 'c#', 'bash', 'curl'] };
    expect(codeSamples(document, operation, [], settings).map((one) => one.label)).toEqual([
      'Go',
      'C#',
      'cURL',
    ]);
    expect(
      codeSamples(document, operation, [], { languages: ['nope'] }).map((one) => one.label),
    ).toEqual(['cURL', 'Python', 'JavaScript']);
  });

  it('exclude those that cannot send a file, and fall back to cURL', () => {
    const [document, operation] = operationOf(body('multipart/form-data'));
    expect(
      codeSamples(document, operation, [], { languages: ['go', 'python'] }).map((one) => one.label),
    ).toEqual(['Python']);
    expect(
      codeSamples(document, operation, [], { languages: ['go'] }).map((one) => one.label),
    ).toEqual(['cURL']);
  });

  it("are limited to the author's samples if the site generates none", () => {
    const [document, operation] = operationOf({
      ...body('application/json'),
      'x-codeSamples': [{ lang: 'go', source: 'x()' }],
    });
    expect(
      codeSamples(document, operation, [], { autogenerate: false }).map((one) => one.code),
    ).toEqual(['x()']);
    expect(codeSamples(...operationOf({}), [], { autogenerate: false })).toEqual([]);
  });

  it('show only required fields if the site requests it', () => {
    const [document, operation] = operationOf(body('application/json'));
    const code = (requiredOnly: boolean) =>
      codeSamples(document, operation, [], { requiredOnly })[0]?.code;
    expect(code(false)).toContain('"b"');
    expect(code(true)).toContain('"a"');
    expect(code(true)).not.toContain('"b"');
  });
});
