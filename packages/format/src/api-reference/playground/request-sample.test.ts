import { expect, test } from 'vitest';
import { curlSample } from '../samples/sample-languages.ts';
import { sendableRequest, unsendableParts } from './browser-limits.ts';
import type { BuiltRequest } from './build-request.ts';
import { sampleOfRequest } from './request-sample.ts';

const request: BuiltRequest = {
  method: 'GET',
  url: 'https://api.example.com/a',
  headers: [
    ['X-Key', "it's"],
    ['Host', 'x'],
    ['Sec-Fetch-Site', 'none'],
  ],
  cookies: [['session', 's']],
  body: { kind: 'text', text: '{}' },
};

test('parts that a browser cannot send are reported and left out, but kept in the curl command', () => {
  expect(unsendableParts(request)).toEqual([
    'Host',
    'Sec-Fetch-Site',
    'Cookie: session',
    'GET + body',
  ]);
  expect(sendableRequest(request)).toEqual({
    method: 'GET',
    url: 'https://api.example.com/a',
    headers: [['X-Key', "it's"]],
    cookies: [],
  });
  expect(curlSample(sampleOfRequest(request))).toBe(
    "curl 'https://api.example.com/a' \\\n  -H 'X-Key: it'\\''s' \\\n  -H 'Host: x' \\\n  -H 'Sec-Fetch-Site: none' \\\n  -H 'Cookie: session=s' \\\n  --data-raw '{}'",
  );
});

test('files are written by name', () => {
  const file = { name: "o'hara.png", type: 'image/png', size: 1 };
  const base = {
    method: 'POST',
    url: 'https://x.example/',
    headers: [],
    cookies: [],
  } satisfies BuiltRequest;
  const parts = [
    { name: 'f', value: file },
    { name: 't', value: 'x' },
  ];
  expect(curlSample(sampleOfRequest({ ...base, body: { kind: 'multipart', parts } }))).toContain(
    "-F 'f=@o'\\''hara.png' \\\n  -F 't=x'",
  );
  expect(curlSample(sampleOfRequest({ ...base, body: { kind: 'file', file } }))).toContain(
    "--data-binary '@o'\\''hara.png'",
  );
});
