import { SAMPLE_LANGUAGES, type SampleLabel } from '../../docs-json/settings/sample-languages.ts';
import { plainRequest, plainWriters } from './plain-samples.ts';
import type { SampleBody, SampleLanguage, SampleRequest } from './sample-request.ts';

type Writer = SampleLanguage['write'];

const writers: Record<Exclude<SampleLabel, keyof typeof plainWriters>, Writer> = {
  cURL: curlSample,
  Python: pythonSample,
  JavaScript: javascriptSample,
  'Node.js': javascriptSample,
  TypeScript: javascriptSample,
};

function writerOf(label: SampleLabel): Writer {
  if (label in writers) return writers[label as keyof typeof writers];
  const write = plainWriters[label as keyof typeof plainWriters];
  return (request) => {
    const parts = plainRequest(request);
    return parts && write(parts);
  };
}

const languages = SAMPLE_LANGUAGES.map(({ names, ...rest }) => ({
  names,
  sample: { ...rest, write: writerOf(rest.label) },
}));

/** Languages by all names that authors use. */
export const sampleLanguages: ReadonlyMap<string, SampleLanguage> = new Map(
  languages.flatMap(({ names, sample }) => names.map((name) => [name, sample] as const)),
);

const DEFAULTS: readonly SampleLabel[] = ['cURL', 'Python', 'JavaScript'];

/** The default languages. */
export const defaultSampleLanguages: readonly SampleLanguage[] = languages
  .filter(({ sample }) => DEFAULTS.includes(sample.label))
  .map(({ sample }) => sample);

/** Returns the request as a cURL command for POSIX shells. */
export function curlSample(request: SampleRequest): string {
  const first =
    request.method === 'GET'
      ? `curl ${shellQuoted(request.url)}`
      : `curl -X ${request.method} ${shellQuoted(request.url)}`;
  const lines = [
    first,
    ...request.headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...curlBody(request.body),
  ];
  return lines.join(' \\\n  ');
}

function curlBody(body: SampleBody | undefined): string[] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [`-d ${shellQuoted(JSON.stringify(body.value, null, 2) ?? '')}`];
    case 'form':
      return body.fields.map(
        ([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`,
      );
    case 'multipart':
      return body.parts.map(({ name, value }) => {
        return `-F ${shellQuoted(typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`)}`;
      });
    case 'text':
      return [`--data-raw ${shellQuoted(body.text)}`];
    case 'file':
      return [`--data-binary ${shellQuoted(`@${body.file.name}`)}`];
  }
}

/** Single quotes keep every character but the single quote itself. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the request as Python with the `requests` library. */
function pythonSample(request: SampleRequest): string {
  const headers =
    request.body?.kind === 'json'
      ? request.headers.filter(([name]) => name !== 'Content-Type')
      : request.headers;
  const parts = [`url = ${pythonLiteral(request.url)}`];
  const call = ['url'];
  const [definition, argument] = pythonBody(request.body);
  if (definition) parts.push(definition);
  if (argument) call.push(argument);
  if (headers.length > 0) {
    parts.push(`headers = ${pythonLiteral(Object.fromEntries(headers))}`);
    call.push('headers=headers');
  }
  const method = request.method.toLowerCase();
  const hasShorthand = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'].includes(
    method,
  );
  const callee = hasShorthand
    ? `requests.${method}(`
    : `requests.request(${pythonLiteral(request.method)}, `;
  return `import requests\n\n${parts.join('\n')}\n\nresponse = ${callee}${call.join(', ')})\nprint(response.text)`;
}

function pythonBody(body: SampleBody | undefined): [definition?: string, argument?: string] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [`payload = ${pythonLiteral(body.value)}`, 'json=payload'];
    case 'form':
      return [`payload = ${pythonLiteral(Object.fromEntries(body.fields))}`, 'data=payload'];
    case 'multipart': {
      const files = body.parts.map(({ name, value }) => {
        const content =
          typeof value === 'string'
            ? `(None, ${pythonLiteral(value)})`
            : `open(${pythonLiteral(value.name)}, "rb")`;
        return `    ${pythonLiteral(name)}: ${content},`;
      });
      return [`files = {\n${files.join('\n')}\n}`, 'files=files'];
    }
    case 'text':
      return [`payload = ${pythonLiteral(body.text)}`, 'data=payload'];
    case 'file':
      return ['payload = open("example-file", "rb")', 'data=payload'];
  }
}

/** Returns a value as a Python literal; objects and lists span several lines. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  // A JSON string is a valid Python string: both have the same escapes.
  if (typeof value !== 'object') return JSON.stringify(String(value));
  const deeper = `${indent}    `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => deeper + pythonLiteral(item, deeper))
    : Object.entries(value).map(
        ([key, item]) => `${deeper}${JSON.stringify(key)}: ${pythonLiteral(item, deeper)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

/** Returns the request as JavaScript with `fetch`, for browsers and servers. */
function javascriptSample(request: SampleRequest): string {
  const options: string[] = [];
  if (request.method !== 'GET') options.push(`  method: ${JSON.stringify(request.method)}`);
  if (request.headers.length > 0) {
    const headers = request.headers.map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    options.push(`  headers: {\n${headers.join(',\n')}\n  }`);
  }
  const [definition, body] = javascriptBody(request.body);
  if (body) options.push(body);
  const url = JSON.stringify(request.url);
  const call = options.length > 0 ? `fetch(${url}, {\n${options.join(',\n')}\n})` : `fetch(${url})`;
  return `${definition ?? ''}const response = await ${call};\nconsole.log(await response.text());`;
}

function javascriptBody(body: SampleBody | undefined): [definition?: string, option?: string] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [
        undefined,
        `  body: JSON.stringify(${(JSON.stringify(body.value, null, 2) ?? 'null').replaceAll('\n', '\n  ')})`,
      ];
    case 'form':
      return [
        undefined,
        `  body: new URLSearchParams(${JSON.stringify(Object.fromEntries(body.fields), null, 2).replaceAll('\n', '\n  ')})`,
      ];
    case 'multipart': {
      const lines = body.parts.map(({ name, value }) => {
        const content = typeof value === 'string' ? JSON.stringify(value) : 'fileInput.files[0]';
        return `form.append(${JSON.stringify(name)}, ${content});`;
      });
      return [`const form = new FormData();\n${lines.join('\n')}\n\n`, '  body: form'];
    }
    case 'text':
      return [undefined, `  body: ${JSON.stringify(body.text)}`];
    case 'file':
      return [undefined, '  body: fileInput.files[0]'];
  }
}
