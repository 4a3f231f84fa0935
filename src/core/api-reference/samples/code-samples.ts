import type { ApiExamples } from '../../docs-json/site-config.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { listAt, textAt, valueAt } from '../json-value.ts';
import { curlSample } from './curl-sample.ts';
import { defaultSampleLanguages, type SampleLanguage, sampleLanguages } from './sample-languages.ts';
import { sampleRequest } from './sample-request.ts';

/** A code example of one language. */
export interface CodeSample {
  /** Language of the code block. */
  language: string;
  /** Title of the tab. */
  label: string;
  code: string;
  /** The audio file that a player above the code plays. */
  audio?: string;
}

const MAX_SAMPLES = 20;

/**
 * Returns request examples of an operation: the author's own (`x-codeSamples`), then generated ones in the other languages that
 * the site configures.
 */
export function codeSamples(
  document: ApiDocument,
  operation: ApiOperation,
  baseUrls: readonly string[] = [],
  settings: Partial<ApiExamples> = {},
): CodeSample[] {
  if (operation.webhook) return [];
  const own = ownSamples(operation);
  if (settings.autogenerate === false) return own;
  const covered = new Set(own.map((sample) => sampleLanguages.get(sample.language)?.label));
  const request = sampleRequest(document, operation, baseUrls, settings.requiredOnly === true);
  const missing = chosenLanguages(settings.languages).filter(({ label }) => !covered.has(label));
  const made = missing.flatMap((language): CodeSample[] => {
    const code = language.write(request);
    return code === undefined ? [] : [{ language: language.language, label: language.label, code }];
  });
  // If no language supports a request, it is shown as cURL.
  if (made.length === 0 && own.length === 0) made.push({ language: 'bash', label: 'cURL', code: curlSample(request) });
  return [...own, ...made];
}

/** The languages that the site configures, without duplicates; the default if none is known. */
function chosenLanguages(names: readonly string[] = []): readonly SampleLanguage[] {
  const found = names.map((name) => sampleLanguages.get(name.toLowerCase())).filter((one) => one !== undefined);
  return found.length > 0
    ? found.filter((one, index) => found.findIndex(({ label }) => label === one.label) === index)
    : defaultSampleLanguages;
}

function ownSamples(operation: ApiOperation): CodeSample[] {
  const key = ['x-codeSamples', 'x-code-samples', 'x-codesamples'].find((name) => valueAt(operation.raw, name) !== undefined);
  const samples: CodeSample[] = [];
  for (const item of key === undefined ? [] : listAt(operation.raw, key).slice(0, MAX_SAMPLES)) {
    const source = textAt(item, 'source');
    if (source === undefined) continue;
    const language = (textAt(item, 'lang') ?? 'text').toLowerCase();
    const label = textAt(item, 'label') ?? sampleLanguages.get(language)?.label ?? textAt(item, 'lang') ?? 'Example';
    samples.push({ language, label, code: source.slice(0, 20_000).trimEnd() });
  }
  return samples;
}
