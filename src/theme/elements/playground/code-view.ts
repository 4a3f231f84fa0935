import type { BuiltRequest } from '../../../core/api-reference/playground/build-request.ts';
import { sampleOfRequest } from '../../../core/api-reference/playground/request-sample.ts';
import {
  defaultSampleLanguages,
  type SampleLanguage,
  sampleLanguages,
} from '../../../core/api-reference/samples/sample-languages.ts';
import { make } from '../assistant/dom.ts';
import { copyButton } from '../content/copy-button.ts';
import { readStored, writeStored } from '../storage.ts';
import type { FormFrame } from './fields/control.ts';
import { selectOf } from './fields/scalar-controls.ts';

const KEPT_LANGUAGE = 'docent.playground.language';

export interface CodeView {
  element: HTMLElement;
  /** @param masked the same request with masked secrets, which is shown; copying uses the real one */
  show(request: BuiltRequest, masked: BuiltRequest): void;
}

/** Shows the current request as code. */
export function codeView(frame: FormFrame, names: readonly string[] | undefined): CodeView {
  const languages = chosenLanguages(names);
  const select = selectOf(
    languages.map((language) => language.label),
    false,
  );
  select.setAttribute('aria-label', frame.texts.code);
  const kept = languages.findIndex((language) => language.label === readStored('local', KEPT_LANGUAGE));
  select.value = String(Math.max(0, kept));
  const pre = make('pre', 'd-pg-text');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', frame.texts.code);
  let last: [BuiltRequest, BuiltRequest] | undefined;
  const language = (): SampleLanguage => languages[Number(select.value)] as SampleLanguage;
  const draw = (): void => {
    if (last) pre.textContent = language().write(sampleOfRequest(last[1])) ?? '—';
  };
  select.addEventListener('change', () => {
    writeStored('local', KEPT_LANGUAGE, language().label);
    draw();
  });
  const copy = copyButton(() => (last && language().write(sampleOfRequest(last[0]))) ?? '');
  const fold = make(
    'details',
    'd-pg-fold d-pg-code',
    make('summary', '', frame.texts.code),
    make('div', 'd-pg-tools', select, copy),
    pre,
  );
  fold.open = true;
  return {
    element: fold,
    show: (request, masked) => {
      last = [request, masked];
      draw();
    },
  };
}

/** Returns the terminal command of the request. */
export function curlCommand(request: BuiltRequest): string {
  return sampleLanguages.get('curl')?.write(sampleOfRequest(request)) ?? '';
}

function chosenLanguages(names: readonly string[] = []): readonly SampleLanguage[] {
  const found = names.map((name) => sampleLanguages.get(name)).filter((one) => one !== undefined);
  return found.length > 0 ? [...new Map(found.map((one) => [one.label, one])).values()] : defaultSampleLanguages;
}
