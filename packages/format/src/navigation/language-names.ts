/** Native names of languages, by the codes of the format. Other codes are shown as they are. */
const NAMES = new Map<string, string>(
  Object.entries({
    ar: 'العربية',
    ca: 'Català',
    cn: '简体中文',
    cs: 'Čeština',
    da: 'Dansk',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fi: 'Suomi',
    fr: 'Français',
    'fr-ca': 'Français (Canada)',
    he: 'עברית',
    hi: 'हिन्दी',
    hu: 'Magyar',
    id: 'Bahasa Indonesia',
    it: 'Italiano',
    ja: '日本語',
    'ja-jp': '日本語',
    jp: '日本語',
    ko: '한국어',
    lv: 'Latviešu',
    nl: 'Nederlands',
    no: 'Norsk',
    pl: 'Polski',
    pt: 'Português',
    'pt-br': 'Português (Brasil)',
    ro: 'Română',
    ru: 'Русский',
    sv: 'Svenska',
    tr: 'Türkçe',
    uk: 'Українська',
    uz: 'Oʻzbekcha',
    vi: 'Tiếng Việt',
    zh: '简体中文',
    'zh-cn': '简体中文',
    'zh-hans': '简体中文',
    'zh-hant': '繁體中文',
    'zh-tw': '繁體中文',
  }),
);

/** Returns the native name of a language, or the code itself if it is unknown. */
export function languageName(code: string): string {
  return NAMES.get(code.toLowerCase()) ?? code;
}

/**
 * Returns whether the text is the code of a language: one of the format, or any that has a name
 * (`sw`, `en-GB`).
 */
export function isLanguage(code: string): boolean {
  return NAMES.has(code.toLowerCase()) || nameIn(code) !== undefined;
}

/** Returns the code of a language by its name in English or in the language itself. */
export function languageNamed(name: string): string | undefined {
  const targetName = name.trim().toLowerCase();
  for (const [code, native] of NAMES) {
    if (native.toLowerCase() === targetName || nameIn(code)?.toLowerCase() === targetName)
      return code;
  }
  return undefined;
}

function nameIn(code: string): string | undefined {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code);
  } catch {
    // Not even the form of a code.
    return undefined;
  }
}
