import * as z from 'zod';
import { notes, wholeNumber } from './setting.ts';

/** `/docs`: removes trailing slashes and adds a leading one. */
function readBasePath(text: string): string {
  const words = text.split('/').filter((word) => word !== '');
  return words.map((word) => `/${word}`).join('');
}

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());

/** What a bundle server serves; the file of `DOCENT_BUNDLE_CONFIG` may contain these too. */
export const bundleSourceSettings = {
  DOCENT_BUNDLE_URL: z.string().optional().register(notes, {
    expected: 'an http or https address, or a file',
    meaning: 'The bundle: its link, or its file; the argument of `docent serve-bundle`.',
  }),
  DOCENT_BUNDLE_VERSION: z.string().optional().register(notes, {
    expected: 'a version label or an export version',
    meaning:
      'Required version of the bundle: the label of the export, or the `exportVersion` in its manifest; others are refused. The option `--version`.',
  }),
  DOCENT_BUNDLE_SHA256: sha256.optional().register(notes, {
    expected: '64 hexadecimal digits',
    meaning: 'Required SHA-256 of the archive. The option `--sha256`.',
  }),
  DOCENT_BUNDLE_SIGNATURE: z.string().optional().register(notes, {
    expected: 'an http or https address, a file, or the text of a signature',
    meaning:
      'Signature of the archive, if `DOCENT_BUNDLE_PUBLIC_KEY` is set: its link, its file, or its text; by default the file beside the archive (`bundle.tar.gz.minisig`). The option `--signature`.',
  }),
};

/** Settings of `docent serve-bundle` only. */
export const bundleSettings = {
  ...bundleSourceSettings,
  DOCENT_BUNDLE_CONFIG: z.string().optional().register(notes, {
    expected: 'a file',
    meaning:
      'File with lines of `DOCENT_BUNDLE_URL=…`, `DOCENT_BUNDLE_VERSION=…`, `DOCENT_BUNDLE_SHA256=…`, `DOCENT_BUNDLE_SIGNATURE=…`, which override the environment; it is reread on SIGHUP and at every poll. The option `--config`.',
  }),
  DOCENT_BUNDLE_PUBLIC_KEY: z.string().optional().register(notes, {
    expected: 'a minisign public key, or a file that contains one',
    meaning:
      'Public key of the bundles; those without a valid signature are refused. The option `--key`.',
  }),
  DOCENT_BUNDLE_METRICS: z.enum(['false', 'true']).prefault('false').register(notes, {
    meaning:
      'Whether the bundle server serves `/metrics` to the local network, in the Prometheus format.',
  }),
  DOCENT_BUNDLE_CACHE: z.string().prefault('./bundle-cache').register(notes, {
    expected: 'a folder',
    meaning:
      'Folder for unpacked bundles; the server starts from it when the link is unavailable. The option `--cache`.',
  }),
  DOCENT_BUNDLE_POLL_SECONDS: wholeNumber(0, 604_800, 'seconds').prefault('0').register(notes, {
    meaning:
      'Interval at which the bundle server checks for another bundle; 0: on SIGHUP only. The option `--poll-seconds`.',
  }),
  DOCENT_BUNDLE_MAX_BYTES: wholeNumber(1024, 1024 ** 4, 'bytes')
    .prefault('4294967296')
    .register(notes, {
      meaning:
        'Maximum size of an archive that the bundle server accepts; unpacked it may be four times as large.',
    }),
  DOCENT_BUNDLE_ASSISTANT: z.enum(['false', 'true']).prefault('false').register(notes, {
    meaning:
      'Whether the bundle server answers questions from the bundle, with the model in `DOCENT_MODEL`. The option `--assistant`.',
  }),
  DOCENT_BUNDLE_PLAYGROUND_PROXY: z.enum(['false', 'true']).prefault('false').register(notes, {
    meaning:
      'Whether the bundle server proxies the calls of API pages of sites that enable it (`api.playground.proxy`). The option `--playground-proxy`.',
  }),
  DOCENT_BUNDLE_ACCESS: z.string().optional().register(notes, {
    default: '<everybody who reaches the server reads>',
    expected: 'a JSON object, such as {"password": {"password": "…"}}',
    meaning:
      'How readers of the bundle sign in; nobody else reads anything of it. It needs `DOCENT_PUBLIC_URL`, and is never shown. The option `--access` names a file with it, like `DOCENT_BUNDLE_ACCESS_FILE`.',
  }),
  DOCENT_BUNDLE_ANALYTICS: z.enum(['false', 'true']).prefault('false').register(notes, {
    meaning:
      'Whether the bundle server records analytics events, in one file per day in `analytics` inside `DOCENT_BUNDLE_CACHE`. The option `--analytics`.',
  }),
  DOCENT_BUNDLE_ANALYTICS_DAYS: wholeNumber(1, 3650, 'days').prefault('90').register(notes, {
    meaning: 'Number of days for which the bundle server keeps those files.',
  }),
  DOCENT_BASE_PATH: z
    .string()
    .regex(/^[\w./~-]*$/)
    .refine((text) => !text.split('/').includes('..'))
    .transform(readBasePath)
    .prefault('')
    .register(notes, {
      expected: 'a path such as /docs',
      meaning: 'Path under which the bundle is served. The option `--base-path`.',
    }),
};
