import { z } from 'zod';
import { notes, wholeNumber } from './setting.ts';

/** `/docs`: slashes at the end are left out, one at the start is put before. */
function readBasePath(text: string): string {
  const words = text.split('/').filter((word) => word !== '');
  return words.map((word) => `/${word}`).join('');
}

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());

/** What a bundle server serves; the file of `DOCENT_BUNDLE_CONFIG` may hold these too. */
export const bundleSourceSettings = {
  DOCENT_BUNDLE_URL: z.string().optional().register(notes, {
    expected: 'an http or https address, or a file',
    meaning: 'The bundle: its link, or its file; the argument of `docent serve-bundle`.',
  }),
  DOCENT_BUNDLE_VERSION: z.string().optional().register(notes, {
    expected: 'a version label or an export version',
    meaning:
      'The version that the bundle must have, by the label it was exported with or by the `exportVersion` of its manifest; another is refused. The option `--version`.',
  }),
  DOCENT_BUNDLE_SHA256: sha256.optional().register(notes, {
    expected: '64 hexadecimal digits',
    meaning: 'SHA-256 that the archive must have. The option `--sha256`.',
  }),
  DOCENT_BUNDLE_SIGNATURE: z.string().optional().register(notes, {
    expected: 'an http or https address, a file, or the text of a signature',
    meaning:
      'Signature of the archive, where `DOCENT_BUNDLE_PUBLIC_KEY` asks for one: its link, its file, or its text; without it the file beside the archive is read (`bundle.tar.gz.minisig`). The option `--signature`.',
  }),
};

/** Settings of `docent serve-bundle` alone. */
export const bundleSettings = {
  ...bundleSourceSettings,
  DOCENT_BUNDLE_CONFIG: z.string().optional().register(notes, {
    expected: 'a file',
    meaning:
      'File with lines of `DOCENT_BUNDLE_URL=…`, `DOCENT_BUNDLE_VERSION=…`, `DOCENT_BUNDLE_SHA256=…`, `DOCENT_BUNDLE_SIGNATURE=…`, which stand above the environment; it is read again on SIGHUP and at every poll. The option `--config`.',
  }),
  DOCENT_BUNDLE_PUBLIC_KEY: z.string().optional().register(notes, {
    expected: 'a public key of minisign, or a file that holds one',
    meaning: 'Public key that bundles have to be signed with; one without a good signature is refused. The option `--key`.',
  }),
  DOCENT_BUNDLE_METRICS: z.enum(['false', 'true']).prefault('false').register(notes, {
    expected: 'false or true',
    meaning: 'Whether the bundle server answers `/metrics` on the local network, in the format of Prometheus.',
  }),
  DOCENT_BUNDLE_CACHE: z.string().prefault('./bundle-cache').register(notes, {
    expected: 'a folder',
    meaning: 'Folder that bundles are unpacked in; the server starts from it when the link does not work. The option `--cache`.',
  }),
  DOCENT_BUNDLE_POLL_SECONDS: wholeNumber(0, 604_800).prefault('0').register(notes, {
    expected: 'a whole number of seconds, 0 to 604800',
    meaning: 'How often the bundle server looks whether there is another bundle; 0: on SIGHUP only. The option `--poll-seconds`.',
  }),
  DOCENT_BUNDLE_MAX_BYTES: wholeNumber(1024, 1024 ** 4)
    .prefault('4294967296')
    .register(notes, {
      expected: 'a whole number of bytes, 1024 or more',
      meaning: 'Largest archive that the bundle server takes; unpacked it may be four times as large.',
    }),
  DOCENT_BUNDLE_ASSISTANT: z.enum(['false', 'true']).prefault('false').register(notes, {
    expected: 'false or true',
    meaning:
      'Whether the bundle server answers questions from the bundle, with the model of `DOCENT_MODEL`. The option `--assistant`.',
  }),
  DOCENT_BUNDLE_PLAYGROUND_PROXY: z.enum(['false', 'true']).prefault('false').register(notes, {
    expected: 'false or true',
    meaning:
      'Whether the bundle server makes the calls of API pages whose site asks for that (`api.playground.proxy`). The option `--playground-proxy`.',
  }),
  DOCENT_BUNDLE_ANALYTICS: z.enum(['false', 'true']).prefault('false').register(notes, {
    expected: 'false or true',
    meaning:
      'Whether the bundle server keeps what pages and machines send and fetch, as one file a day in `analytics` inside the folder of `DOCENT_BUNDLE_CACHE`. The option `--analytics`.',
  }),
  DOCENT_BUNDLE_ANALYTICS_DAYS: wholeNumber(1, 3650).prefault('90').register(notes, {
    expected: 'a whole number of days from 1 to 3650',
    meaning: 'Days that the bundle server keeps those files.',
  }),
  DOCENT_BASE_PATH: z
    .string()
    .regex(/^[\w./~-]*$/)
    .refine((text) => !text.split('/').includes('..'))
    .transform(readBasePath)
    .prefault('')
    .register(notes, {
      expected: 'a path such as /docs',
      meaning: 'Path that the bundle is served under. The option `--base-path`.',
    }),
};
