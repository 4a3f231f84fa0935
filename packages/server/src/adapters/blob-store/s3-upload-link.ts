import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { UploadLinks } from '../../ports/upload-links.ts';
import { createS3Client, usualPatience } from './s3-client.ts';

const EXPIRES_IN_SECONDS = 300;

/**
 * Signs an upload with the given credentials, never with those of this machine (AWS Signature
 * Version 4).
 */
export const s3UploadLink: UploadLinks = async ({
  bucket: { accessKeyId, ...place },
  secretAccessKey,
  key,
}) => {
  const settings = { ...place, prefix: '', credentials: { accessKeyId, secretAccessKey } };
  const client = createS3Client(settings, place.endpoint, usualPatience);
  try {
    const command = new PutObjectCommand({ Bucket: place.bucket, Key: key });
    return await getSignedUrl(client, command, { expiresIn: EXPIRES_IN_SECONDS });
  } finally {
    client.destroy();
  }
};
