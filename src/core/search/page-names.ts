import { MAX_QUERY_LENGTH } from './query-groups.ts';
import { foldWord } from './words/tokenize.ts';

/** No term of a text contains this character, so that one index can contain both names and words. */
export const NAME_MARK = '=';
/** Longer names are equal if they start alike. */
const MAX_NAME_LENGTH = 200;
const MAX_KEY_LENGTH = 80;
/** `C++` and `C#` are not C. */
const NAME_PARTS = /[\p{L}\p{N}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu;

/**
 * Returns the term under which a name is indexed: its letters and digits without case, accents, spaces and punctuation, so that
 * `Custom domain`, `custom-domain` and `CustomDomain` are one name.
 * @returns an empty text if the name has neither letters nor digits
 */
export function nameTerm(name: string): string {
  const parts = foldWord(name.slice(0, MAX_NAME_LENGTH)).match(NAME_PARTS);
  return parts === null ? '' : NAME_MARK + parts.join('').slice(0, MAX_KEY_LENGTH);
}

/** Returns the terms of the same name in the singular and the plural. */
export function otherNumber(term: string): string[] {
  if (!/[a-z]{3}$/.test(term)) return [];
  if (term.endsWith('ies')) return [`${term.slice(0, -3)}y`, term.slice(0, -1)];
  if (/(?:s|x|ch|sh)es$/.test(term)) return [term.slice(0, -2), term.slice(0, -1)];
  if (/[^s]s$/.test(term)) return [term.slice(0, -1)];
  if (/[^aeiou]y$/.test(term)) return [`${term.slice(0, -1)}ies`];
  return /(?:s|x|ch|sh)$/.test(term) ? [`${term}es`] : [`${term}s`];
}

/** Follows the name marker, so that no title equals a route. */
const ROUTE_MARK = `${NAME_MARK}/`;
const MAX_ROUTE_LENGTH = 200;
const MAX_SEGMENTS = 12;
/** A path in a question, with an optional method or server before it. */
const ROUTE =
  /(?:\b(get|put|post|delete|patch|options|head|trace)\s+)?(?:https?:\/\/[\w.:-]{1,100})?(\/?[\w{}<>:.~$@*-]{1,80}(?:\/[\w{}<>:.~$@*-]{0,80}){1,11}|\/[\w{}<>:.~$@*-]{1,80})/gi;
const MAX_ROUTES = 3;
/** Base paths of servers that a description omits from its routes. */
const MAX_LEFT_OUT = 2;
/** A code identifier that no product is named like. */
const CODE_NAME = /^(?:_*[^\W_]+_\w+|[a-z]{3,}\d*[A-Z][a-z]\w*)$/;
/** A code identifier, such as the name of an operation or of a webhook. */
const IDENTIFIER = /[A-Za-z][\w-]*(?:[a-z][A-Z]|\w[_.:]\w)[\w.:-]*/g;

/**
 * Returns the terms under which an operation is indexed: its route, the route with its method, and its code identifiers. Names of
 * path parameters are ignored.
 * @param operation `GET /users/{id}`
 */
export function operationTerms(operation: string, operationId: string | undefined): string[] {
  const [method = '', route = ''] = operation.split(' ');
  const isPath = route.startsWith('/');
  const names = [operationId ?? '', isPath ? '' : route].map((name) => foldWord(name.slice(0, MAX_ROUTE_LENGTH)));
  const own = names.filter(Boolean).map(nameInCode);
  const path = isPath ? pathOf(route.split('/'), false) : '';
  return path === '' ? own : [ROUTE_MARK + path, withMethod(path, method), ...own];
}

/** Returns the terms of the routes and code identifiers in a query, most exact first. */
export function operationTermsIn(query: string): string[] {
  const terms: string[] = [];
  const read = query.slice(0, MAX_QUERY_LENGTH);
  for (const [, method, route = ''] of [...read.matchAll(ROUTE)].slice(0, MAX_ROUTES)) {
    const segments = route
      .replace(/(?<![.:])[.:]+$/, '')
      .split('/')
      .filter(Boolean);
    for (let left = 0; left <= Math.min(MAX_LEFT_OUT, segments.length - 1); left++) {
      for (const hasValues of [false, true]) {
        const path = pathOf(segments.slice(left), hasValues);
        if (method !== undefined) terms.push(withMethod(path, method));
        terms.push(ROUTE_MARK + path);
      }
    }
  }
  for (const [name] of [...read.matchAll(IDENTIFIER)].slice(0, MAX_ROUTES))
    terms.push(nameInCode(foldWord(name.replace(/(?<![.:-])[.:-]+$/, ''))));
  return [...new Set(terms)];
}

/** Returns the names in a query that can only be code: `site_not_found`, `setInputFiles`; not `GitHub` or `Node.js`. */
export function codeNamesIn(query: string): string[] {
  const names = query.slice(0, MAX_QUERY_LENGTH).match(IDENTIFIER) ?? [];
  return names.filter((name) => CODE_NAME.test(name)).slice(0, MAX_ROUTES);
}

function nameInCode(folded: string): string {
  return `${ROUTE_MARK}#${folded}`;
}

function withMethod(path: string, method: string): string {
  return `${ROUTE_MARK}${path}#${method.toLowerCase()}`;
}

/** @param hasValues whether a segment with digits may be the value of a parameter */
function pathOf(segments: readonly string[], hasValues: boolean): string {
  const isValue = (segment: string) => hasValues && /\d/.test(segment) && !/^v\d+$/i.test(segment);
  return segments
    .filter(Boolean)
    .slice(0, MAX_SEGMENTS)
    .map((segment) => (/[{}<>]|^:/.test(segment) || isValue(segment) ? '*' : foldWord(segment)))
    .join('/');
}
