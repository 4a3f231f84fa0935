import type { SampleBody, SampleRequest } from './sample-request.ts';

/** Returns the request as JavaScript with `fetch`, for browsers and servers. */
export function javascriptSample(request: SampleRequest): string {
  const options: string[] = [];
  if (request.method !== 'GET') options.push(`  method: ${JSON.stringify(request.method)}`);
  if (request.headers.length > 0) {
    const headers = request.headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    options.push(`  headers: {\n${headers.join(',\n')}\n  }`);
  }
  const [definition, body] = bodyParts(request.body);
  if (body) options.push(body);
  const url = JSON.stringify(request.url);
  const call = options.length > 0 ? `fetch(${url}, {\n${options.join(',\n')}\n})` : `fetch(${url})`;
  return `${definition ?? ''}const response = await ${call};\nconsole.log(await response.text());`;
}

function bodyParts(body: SampleBody | undefined): [definition?: string, option?: string] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [undefined, `  body: JSON.stringify(${(JSON.stringify(body.value, null, 2) ?? 'null').replaceAll('\n', '\n  ')})`];
    case 'form':
      return [
        undefined,
        `  body: new URLSearchParams(${JSON.stringify(Object.fromEntries(body.fields), null, 2).replaceAll('\n', '\n  ')})`,
      ];
    case 'multipart': {
      const lines = body.fields.map(({ name, value, isFile }) => {
        const content = isFile ? 'fileInput.files[0]' : JSON.stringify(value);
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
