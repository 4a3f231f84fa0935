import { DocentError } from '../errors.ts';

/** The numbers of a form of stored data. */
interface FormNumbers {
  /** The newest that this version reads; it reads all older ones too. */
  reads: number;
  /** What it writes. */
  writes: number;
}

/**
 * Every form of data in the store that more than one version of Docent reads. An older version must
 * be able to run beside this one, and after it, so a new form takes two releases: the first raises
 * `reads`, the next one `writes`. What is not here is either read only by the version that wrote it
 * (the pack of compiled pages, vectors), or in columns of the database, whose migrations say
 * whether they are additive.
 */
export const STORED_FORMS = {
  /** The manifest of a build: `format/build/site-build.ts`. */
  build: { reads: 1, writes: 1 },
  /**
   * A page of a build: `compiler/pages/stored-page.ts`. 1 was JSON alone; 2 has class names that
   * the theme's files of today expect.
   */
  page: { reads: 2, writes: 2 },
  /** The search index of a build: `search/index/index-format.ts`. */
  searchIndex: { reads: 2, writes: 2 },
  /**
   * Hashes of passwords of accounts, and recovery codes: `kernel/access/passwords.ts`,
   * `adapters/accounts/recovery-codes.ts`.
   */
  password: { reads: 2, writes: 1 },
} as const satisfies Record<string, FormNumbers>;

export type StoredForm = keyof typeof STORED_FORMS;

const NAMES: Record<StoredForm, string> = {
  build: 'builds',
  page: 'pages',
  searchIndex: 'search indexes',
  password: 'passwords',
};

/**
 * Checks the number that a stored file names.
 * @throws DocentError `database_too_new` if a newer version has written it
 */
export function requireReadable(form: StoredForm, number: number): void {
  const { reads } = STORED_FORMS[form];
  if (number > reads) throw storeTooNew(form, number);
}

/**
 * @param form may be one that only a newer version knows
 * @param version the newest version that wrote it, if known
 */
export function storeTooNew(form: string, number: number, version?: string): DocentError {
  const writer = version === undefined ? 'A newer version of Docent' : `Docent ${version}`;
  const name = form in NAMES ? NAMES[form as StoredForm] : form;
  return new DocentError(
    'database_too_new',
    `${writer} has stored ${name} in form ${number}, which this version cannot read; run that version, or restore a backup from before.`,
  );
}

/**
 * Returns the forms that this version writes and another one, which reads up to `reads`, cannot
 * read. Forms it does not know are not its concern.
 */
export function formsUnreadableBy(reads: Readonly<Record<string, number>>): StoredForm[] {
  return (Object.keys(STORED_FORMS) as StoredForm[]).filter(
    (form) => (reads[form] ?? Infinity) < STORED_FORMS[form].writes,
  );
}
