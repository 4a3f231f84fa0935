import sentences from './answer-frames.json' with { type: 'json' };

/** The fixed sentences around quotes. `{source}` is a link to the quoted section. */
export interface AnswerFrames {
  /** The reply to a message that asks nothing. */
  invitation: string;
  nothingFound: string;
  /** Before the first quote, if it answers the question. */
  quoted: string;
  /** Before the first quote, if it may not answer the question. */
  nearest: string;
  /** Before the quotes for a question in another language than the documentation. */
  english: string;
  /** Before every other quote. */
  further: string;
  /** Before an answer that is quoted because the language model failed. */
  withoutModel: string;
  /** Ends shortened steps; `{count}` is how many are left out. */
  moreSteps: string;
  /** Introduces other ways to get help; `{ways}` are links. */
  support: string;
  /** Before an answer to a question whose images were not looked at. */
  unseenImages: string;
}

/** By language code, in lower case. */
const framesOf: ReadonlyMap<string, AnswerFrames> = new Map(Object.entries(sentences));

/** Language codes of sites that map to another code here. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  ...{
    cn: 'zh',
    'zh-cn': 'zh',
    'zh-tw': 'zh-hant',
    'zh-hk': 'zh-hant',
    jp: 'ja',
    nb: 'no',
    nn: 'no',
    iw: 'he',
  },
};

/** The languages with translated sentences. */
export const frameLanguages: readonly string[] = [...framesOf.keys()];

/**
 * Returns the sentences in a language, as a site or `questionLanguage` names it; English by
 * default.
 */
export function answerFrames(language: string | undefined): AnswerFrames {
  const languageCode = (language ?? 'en').toLowerCase();
  const code = OTHER_CODES[languageCode] ?? languageCode;
  const base = code.split('-')[0] as string;
  return framesOf.get(code) ?? framesOf.get(OTHER_CODES[base] ?? base) ?? sentences.en;
}
