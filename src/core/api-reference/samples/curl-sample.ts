import type { SampleBody, SampleRequest } from './sample-request.ts';

/** Returns the request as a cURL command for POSIX shells. */
export function curlSample(request: SampleRequest): string {
  const first = request.method === 'GET' ? `curl ${quote(request.url)}` : `curl -X ${request.method} ${quote(request.url)}`;
  const lines = [
    first,
    ...request.headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...bodyLines(request.body),
  ];
  return lines.join(' \\\n  ');
}

function bodyLines(body: SampleBody | undefined): string[] {
  if (body === undefined) return [];
  switch (body.kind) {
    case 'json':
      return [`-d ${quote(JSON.stringify(body.value, null, 2) ?? '')}`];
    case 'form':
      return body.fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
    case 'multipart':
      return body.fields.map(({ name, value, isFile }) => `-F ${quote(isFile ? `${name}=@${value}` : `${name}=${value}`)}`);
    case 'text':
      return [`--data-raw ${quote(body.text)}`];
    case 'file':
      return [`--data-binary ${quote(`@${body.name ?? 'example-file'}`)}`];
  }
}

/** Single quotes keep every character but the single quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
