import { z } from 'zod';
import { halfSet, notes, readPublicUrl } from './setting.ts';

/** Words as in blob keys, with a slash after each. */
function readPrefix(text: string, context: z.RefinementCtx): string {
  const words = text.replace(/^\/+|\/+$/g, '').split('/');
  if (!words.every((word) => /^[\w-][\w.-]*$/.test(word))) context.addIssue({ code: 'custom', message: 'not a prefix' });
  return `${words.join('/')}/`;
}

/** Settings of the store for `DOCENT_BLOBS=s3`. */
export const s3Settings = {
  DOCENT_S3_BUCKET: z
    .string()
    .regex(/^[\w.-]{1,255}$/)
    .optional()
    .register(notes, {
      expected: 'the name of a bucket',
      meaning: 'Bucket for the files; for `DOCENT_BLOBS=s3`. It must exist.',
    }),
  DOCENT_S3_ENDPOINT: z.string().transform(readPublicUrl).optional().register(notes, {
    default: '<address of AWS>',
    expected: 'an http or https address without user, query or fragment',
    meaning: 'Address of a store other than AWS, for example `http://minio:9000`.',
  }),
  DOCENT_S3_PUBLIC_ENDPOINT: z.string().transform(readPublicUrl).optional().register(notes, {
    default: '<DOCENT_S3_ENDPOINT>',
    expected: 'an http or https address without user, query or fragment',
    meaning: 'URL of the store in links to bundles, if clients reach it at a different address.',
  }),
  DOCENT_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .register(notes, {
      default: '<AWS_REGION, or us-east-1 with an endpoint>',
      expected: 'a region such as eu-central-1',
      meaning: 'Region of the bucket.',
    }),
  DOCENT_S3_ACCESS_KEY_ID: z.string().optional().register(notes, {
    expected: 'the ID of an access key',
    meaning:
      'Access key of the store. Without it, credentials are resolved as AWS programs do: environment, shared files, web identity, role of the machine.',
  }),
  DOCENT_S3_SECRET_ACCESS_KEY: z.string().optional().register(notes, {
    expected: 'the secret of the access key',
    meaning: 'Secret access key. It is never shown.',
  }),
  DOCENT_S3_FORCE_PATH_STYLE: z.enum(['true', 'false']).optional().register(notes, {
    default: '<true with an endpoint, else false>',
    expected: 'true or false',
    meaning: 'Whether the bucket is in the path of an address (`true`) or in its host.',
  }),
  DOCENT_S3_PREFIX: z.string().transform(readPrefix).optional().register(notes, {
    expected: 'words of letters, digits, dots, dashes and underscores, separated by slashes',
    meaning: 'Prefix of every object name, if the bucket contains other things too.',
  }),
};

const schema = z.object(s3Settings);

/** Returns the options of the S3 adapter. */
export interface S3Config {
  bucket: string;
  prefix: string;
  endpoint?: string;
  publicEndpoint?: string;
  region?: string;
  forcePathStyle: boolean;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** @throws DocentError `invalid_setting` if a setting lacks another that it requires */
export function s3From(values: z.output<typeof schema>): S3Config {
  const { DOCENT_S3_BUCKET: bucket, DOCENT_S3_ENDPOINT: endpoint, DOCENT_S3_PUBLIC_ENDPOINT: publicEndpoint } = values;
  const { DOCENT_S3_REGION: region, DOCENT_S3_FORCE_PATH_STYLE: pathStyle } = values;
  const credentials = credentialsFrom(values);
  if (bucket === undefined) throw halfSet('DOCENT_S3_BUCKET', 'DOCENT_BLOBS=s3 needs it; set it to the name of the bucket.');
  return {
    bucket,
    prefix: values.DOCENT_S3_PREFIX ?? '',
    forcePathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
    ...(endpoint !== undefined && { endpoint }),
    ...(publicEndpoint !== undefined && { publicEndpoint }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
  };
}

function credentialsFrom(values: z.output<typeof schema>): S3Config['credentials'] {
  const { DOCENT_S3_ACCESS_KEY_ID: accessKeyId, DOCENT_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (accessKeyId !== undefined)
    throw halfSet('DOCENT_S3_SECRET_ACCESS_KEY', 'DOCENT_S3_ACCESS_KEY_ID is set, so it is needed too; set it, or remove both.');
  if (secretAccessKey !== undefined)
    throw halfSet('DOCENT_S3_ACCESS_KEY_ID', 'DOCENT_S3_SECRET_ACCESS_KEY is set, so it is needed too; set it, or remove both.');
  return undefined;
}
