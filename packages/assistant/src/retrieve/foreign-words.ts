import words from './foreign-words.json' with { type: 'json' };

/**
 * What words mean in English → how they begin in other languages, separated by spaces. A beginning
 * of several words has `_` between them.
 */
export type ForeignWords = Readonly<Record<string, string>>;

/** The dictionary of the subject. Browsers load it with the first question that needs it. */
export const foreignWords: ForeignWords = words;
