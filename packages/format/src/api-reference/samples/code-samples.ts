import type { ApiExamples } from '../../docs-json/site-config.ts';
import { listAt, textAt, valueAt } from '../../json-value.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { audioOf, bodyExamples, exampleCode, type MediaExample } from '../media-examples.ts';
import { responseObjects } from '../operation-contents.ts';
import { follow } from '../schemas/references.ts';
import { curlSample, defaultSampleLanguages, sampleLanguages } from './sample-languages.ts';
import { type SampleLanguage, sampleRequest } from './sample-request.ts';

/** A code example of one language. */
export interface CodeSample {
  /** Language of the code block. */
  language: string;
  /** Title of the tab. */
  label: string;
  code: string;
  /** The author named it: `label` says what it is an example of. */
  isNamed?: true;
  /** The audio file that a player above the code plays. */
  audio?: string;
}

const MAX_SAMPLES = 20;
const MAX_EXAMPLES = 50;
const MAX_EXAMPLES_CHARACTERS = 200_000;

/**
 * Returns request examples of an operation: the author's own (`x-codeSamples`), then generated ones
 * in the other languages that the site configures.
 */
export function codeSamples(
  document: ApiDocument,
  operation: ApiOperation,
  baseUrls: readonly string[] = [],
  settings: Partial<ApiExamples> = {},
): CodeSample[] {
  if (operation.webhook) return [];
  const authorSamples = ownSamples(operation);
  if (settings.autogenerate === false) return authorSamples;
  const covered = new Set(
    authorSamples.map((sample) => sampleLanguages.get(sample.language)?.label),
  );
  const request = sampleRequest(document, operation, baseUrls, settings.requiredOnly === true);
  const missing = chosenLanguages(settings.languages).filter(({ label }) => !covered.has(label));
  const generatedSamples = missing.flatMap((language): CodeSample[] => {
    const code = language.write(request);
    return code === undefined ? [] : [{ language: language.language, label: language.label, code }];
  });
  // If no language supports a request, it is shown as cURL.
  if (generatedSamples.length === 0 && authorSamples.length === 0)
    generatedSamples.push({ language: 'bash', label: 'cURL', code: curlSample(request) });
  return [...authorSamples, ...generatedSamples];
}

/** The languages that the site configures, without duplicates; the default if none is known. */
function chosenLanguages(names: readonly string[] = []): readonly SampleLanguage[] {
  const languages = names
    .map((name) => sampleLanguages.get(name.toLowerCase()))
    .filter((language) => language !== undefined);
  return languages.length > 0
    ? [...new Map(languages.map((language) => [language.label, language])).values()]
    : defaultSampleLanguages;
}

function ownSamples(operation: ApiOperation): CodeSample[] {
  const key = ['x-codeSamples', 'x-code-samples', 'x-codesamples'].find(
    (name) => valueAt(operation.raw, name) !== undefined,
  );
  const samples: CodeSample[] = [];
  for (const item of key === undefined ? [] : listAt(operation.raw, key).slice(0, MAX_SAMPLES)) {
    const source = textAt(item, 'source');
    if (source === undefined) continue;
    const language = (textAt(item, 'lang') ?? 'text').toLowerCase();
    const label =
      textAt(item, 'label') ??
      sampleLanguages.get(language)?.label ??
      textAt(item, 'lang') ??
      'Example';
    samples.push({ language, label, code: source.slice(0, 20_000).trimEnd() });
  }
  return samples;
}

/** Returns example responses, one tab for each status (and for each named example of it). */
export function responseSamples(document: ApiDocument, operation: ApiOperation): CodeSample[] {
  const samples: CodeSample[] = [];
  for (const [status, response] of responseObjects(document.root, operation.raw)) {
    const examples = bodyExamples(document.root, response, 'response');
    for (const example of examples) {
      const label =
        examples.length > 1 && example.label !== undefined ? `${status} ${example.label}` : status;
      samples.push(exampleSample(example, label));
    }
    if (samples.length >= MAX_EXAMPLES) break;
  }
  return firstSamples(samples);
}

/**
 * Example payloads of a webhook; of a request, the examples of its body if there are several: its
 * code has only the first.
 */
export function bodySamples({ root }: ApiDocument, { raw, webhook }: ApiOperation): CodeSample[] {
  const examples = bodyExamples(
    root,
    follow(root, valueAt(raw, 'requestBody'))?.value,
    webhook ? 'response' : 'request',
  );
  if (!webhook && examples.length < 2) return [];
  const samples = examples.map((example) => {
    return exampleSample(example, example.label ?? (webhook ? 'Payload' : example.mediaType));
  });
  return firstSamples(samples);
}

function exampleSample(example: MediaExample, label: string): CodeSample {
  const isNamed = example.label !== undefined || undefined;
  return { ...exampleCode(example), label, isNamed, audio: audioOf(example) };
}

/** As many as fit on a page. */
function firstSamples(samples: readonly CodeSample[]): CodeSample[] {
  let charactersLeft = MAX_EXAMPLES_CHARACTERS;
  return samples.slice(0, MAX_EXAMPLES).filter(({ code }) => {
    charactersLeft -= code.length;
    return charactersLeft >= 0;
  });
}
