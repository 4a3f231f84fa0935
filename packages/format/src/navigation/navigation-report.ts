import type { Diagnostic } from '../diagnostics.ts';
import { DocentError } from '../errors.ts';
import type { JsonObject } from '../json-value.ts';
import { didYouMean } from '../nearest-name.ts';
import { languageNamed } from './language-names.ts';
import type { NavigationContext, Spot } from './navigation-context.ts';

const MAX_LISTED_ERRORS = 20;

/** What is wrong with a navigation, each problem with its place in the file. */
export class NavigationReport {
  readonly diagnostics: Diagnostic[] = [];
  readonly #context: Pick<NavigationContext, 'file' | 'placeOf'>;

  constructor(context: Pick<NavigationContext, 'file' | 'placeOf'>) {
    this.#context = context;
  }

  invalid(spot: Spot, problem: string): void {
    this.warn(
      'invalid-navigation',
      spot,
      `This part of the navigation cannot be used: ${problem}.`,
      'Correct it; it is left out until then.',
    );
  }

  warn(code: string, spot: Spot, message: string, remedy: string): void {
    const place = this.#context.placeOf?.(spot.container, spot.key) ?? { file: this.#context.file };
    this.diagnostics.push({
      severity: 'warning',
      code,
      message: message.replace(/\.$/, ` (${spot.path}).`),
      remedy,
      ...place,
    });
  }

  unknownLanguage(code: string, container: JsonObject, { path }: Spot): void {
    const spot: Spot = { container, key: 'language', path: `${path}.language` };
    const remedy = didYouMean(
      languageNamed(code),
      'Use the code of a language, such as "en" or "pt-BR".',
    );
    this.warn(
      'unknown-language-code',
      spot,
      `There is no language "${code.slice(0, 60)}".`,
      remedy,
    );
  }

  /** @param empty descriptions without operations, each with the number of entries that need one */
  emptyDescriptions(empty: ReadonlyMap<string, { spot: Spot; count: number }>): void {
    for (const [source, { spot, count }] of empty) {
      const entries = count === 1 ? 'One entry' : `${count} entries`;
      this.warn(
        'missing-operation',
        spot,
        `${entries} of the navigation are operations of ${source}, which has none.`,
        'Correct "openapi", or remove the entries.',
      );
    }
  }

  unusedSetting(group: JsonObject, { path }: Spot, label: string): void {
    this.warn(
      'setting-not-used',
      { container: group, key: 'openapi', path: `${path}.openapi` },
      `The group "${label.slice(0, 100)}" has "openapi" but shows no operations, because it lists pages and none of them is an operation.`,
      'For a page of every operation, after those that are listed, write {"source": "…", "directory": "…"}. For some, list them: "GET /users".',
    );
  }

  /** @throws DocentError `build_failed` with the first problems */
  fail(): never {
    const [first, ...rest] = this.diagnostics;
    const { file } = this.#context;
    if (!first) {
      const detail = `The navigation in ${file} names no page. Add pages to it, for example "pages": ["index"].`;
      throw new DocentError('build_failed', detail, {
        errors: [{ path: '/navigation', message: detail }],
        place: { file },
      });
    }
    const errors = [first, ...rest].slice(0, MAX_LISTED_ERRORS).map(({ message, remedy }) => ({
      path: '/navigation',
      message: `${message} ${remedy}`,
    }));
    const { line, column } = first;
    const place = {
      file: first.file,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
    throw new DocentError('build_failed', `No entry of the navigation in ${file} can be used.`, {
      errors,
      place,
    });
  }
}
