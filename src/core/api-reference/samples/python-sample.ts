import type { SampleBody, SampleRequest } from './sample-request.ts';

/** Returns the request as Python with the `requests` library. */
export function pythonSample(request: SampleRequest): string {
  const headers = request.body?.kind === 'json' ? request.headers.filter(([name]) => name !== 'Content-Type') : request.headers;
  const parts = [`url = ${literal(request.url)}`];
  const call = ['url'];
  const [definition, argument] = bodyParts(request.body);
  if (definition) parts.push(definition);
  if (argument) call.push(argument);
  if (headers.length > 0) {
    parts.push(`headers = ${literal(Object.fromEntries(headers))}`);
    call.push('headers=headers');
  }
  const method = request.method.toLowerCase();
  const known = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'].includes(method);
  const callee = known ? `requests.${method}(` : `requests.request(${literal(request.method)}, `;
  return `import requests\n\n${parts.join('\n')}\n\nresponse = ${callee}${call.join(', ')})\nprint(response.text)`;
}

function bodyParts(body: SampleBody | undefined): [definition?: string, argument?: string] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [`payload = ${literal(body.value)}`, 'json=payload'];
    case 'form':
      return [`payload = ${literal(Object.fromEntries(body.fields))}`, 'data=payload'];
    case 'multipart': {
      const files = body.fields.map(({ name, value, isFile }) => {
        return `    ${literal(name)}: ${isFile ? `open(${literal(value)}, "rb")` : `(None, ${literal(value)})`},`;
      });
      return [`files = {\n${files.join('\n')}\n}`, 'files=files'];
    }
    case 'text':
      return [`payload = ${literal(body.text)}`, 'data=payload'];
    case 'file':
      return ['payload = open("example-file", "rb")', 'data=payload'];
  }
}

/** Returns a value as a Python literal; objects and lists span several lines. */
function literal(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  // A JSON string is a valid Python string: both have the same escapes.
  if (typeof value !== 'object') return JSON.stringify(String(value));
  const deeper = `${indent}    `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => deeper + literal(item, deeper))
    : Object.entries(value).map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${literal(item, deeper)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')}\n${indent}${close}`;
}
