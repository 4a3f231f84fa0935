/**
 * The available structures. Every theme name of the format maps to one of them, with its own
 * tokens.
 */
export type ThemeFamily = 'mint' | 'maple' | 'palm' | 'aspen';

const FAMILIES: ReadonlyMap<string, ThemeFamily> = new Map([
  ['mint', 'mint'],
  ['linden', 'mint'],
  ['maple', 'maple'],
  ['willow', 'maple'],
  ['sequoia', 'maple'],
  ['palm', 'palm'],
  ['aspen', 'aspen'],
  ['almond', 'aspen'],
  ['luma', 'aspen'],
]);

/** Returns the structure of a theme; that of `mint` for an unknown name. */
export function familyOf(theme: string): ThemeFamily {
  return FAMILIES.get(theme) ?? 'mint';
}
