import { textAt, valueAt } from '../api-reference/json-value.ts';

export type ReflectionKind =
  | 'module'
  | 'namespace'
  | 'enum'
  | 'enumMember'
  | 'variable'
  | 'function'
  | 'class'
  | 'interface'
  | 'constructor'
  | 'property'
  | 'method'
  | 'accessor'
  | 'type'
  | 'reference'
  | 'document';

/** Kind numbers of TypeDoc since 0.24; before, each reflection names its kind too, and some numbers had other meanings. */
const BY_NUMBER: ReadonlyMap<unknown, ReflectionKind> = new Map<unknown, ReflectionKind>([
  [2, 'module'],
  [4, 'namespace'],
  [8, 'enum'],
  [16, 'enumMember'],
  [32, 'variable'],
  [64, 'function'],
  [128, 'class'],
  [256, 'interface'],
  [512, 'constructor'],
  [1024, 'property'],
  [2048, 'method'],
  [262_144, 'accessor'],
  [2_097_152, 'type'],
  [4_194_304, 'reference'],
  [8_388_608, 'document'],
]);

const BY_WORDS: ReadonlyMap<string, ReflectionKind> = new Map<string, ReflectionKind>([
  ['external module', 'module'],
  ['module', 'module'],
  ['package', 'module'],
  ['namespace', 'namespace'],
  ['enumeration', 'enum'],
  ['enumeration member', 'enumMember'],
  ['variable', 'variable'],
  ['object literal', 'variable'],
  ['function', 'function'],
  ['class', 'class'],
  ['interface', 'interface'],
  ['constructor', 'constructor'],
  ['property', 'property'],
  ['method', 'method'],
  ['accessor', 'accessor'],
  ['type alias', 'type'],
  ['reference', 'reference'],
  ['document', 'document'],
]);

/** Returns the kind of a reflection in TypeDoc's JSON; undefined for kinds without a page or section of their own. */
export function kindOf(reflection: unknown): ReflectionKind | undefined {
  const words = textAt(reflection, 'kindString');
  return words === undefined ? BY_NUMBER.get(valueAt(reflection, 'kind')) : BY_WORDS.get(words.toLowerCase());
}
