import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { valueAt } from '../json-value.ts';
import { audioOf, exampleCode, mediaExamples, preferredMedia } from '../media-examples.ts';
import { responseObjects } from '../operation-contents.ts';
import { follow } from '../references.ts';
import type { CodeSample } from './code-samples.ts';

const MAX_SAMPLES = 8;

/** Returns example responses, one tab for each status (and for each named example of it). */
export function responseSamples(document: ApiDocument, operation: ApiOperation): CodeSample[] {
  const samples: CodeSample[] = [];
  for (const [status, response] of responseObjects(document.root, operation.raw)) {
    const preferred = preferredMedia(response);
    if (!preferred) continue;
    const examples = mediaExamples(document.root, preferred[0], preferred[1], 'response');
    for (const example of examples) {
      if (samples.length >= MAX_SAMPLES) return samples;
      const label = examples.length > 1 && example.label !== undefined ? `${status} ${example.label}` : status;
      const audio = audioOf(example);
      samples.push({ ...exampleCode(example), label, ...(audio === undefined ? {} : { audio }) });
    }
  }
  return samples;
}

/** Example payloads of a webhook. */
export function payloadSamples(document: ApiDocument, operation: ApiOperation): CodeSample[] {
  const preferred = preferredMedia(follow(document.root, valueAt(operation.raw, 'requestBody'))?.value);
  if (!preferred) return [];
  return mediaExamples(document.root, preferred[0], preferred[1], 'response')
    .slice(0, MAX_SAMPLES)
    .map((example) => ({ ...exampleCode(example), label: example.label ?? 'Payload' }));
}
