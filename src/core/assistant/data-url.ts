import { decodeUtf8 } from '../bytes.ts';

const { atob } = globalThis as unknown as { atob: (base64: string) => string };

/** Maximum length of an attachment: it supports the question, it is not a corpus. */
const MAX_TEXT_LENGTH = 64 * 1024;
const HEAD = /^data:(text\/[\w.+-]+|application\/json|application\/(?:x-)?yaml)?(?:;[\w-]+=[^;,]{0,100}){0,4}(;base64)?$/i;

/** Maximum Base64 characters of an image: what fits into a request beside its question. */
const MAX_IMAGE_CHARACTERS = 3_500_000;
const IMAGE_HEAD = /^data:(image\/(?:png|jpeg|gif|webp));base64$/i;

/** An image attached to a question, in a format that every multimodal model reads. */
export interface ImageFile {
  mediaType: string;
  base64: string;
}

/** Returns the image in a `data:` URL of PNG, JPEG, GIF or WebP; `undefined` for anything else and for one that is too large. */
export function imageOfDataUrl(url: string): ImageFile | undefined {
  const comma = url.slice(0, 100).indexOf(',');
  const mediaType = IMAGE_HEAD.exec(url.slice(0, Math.max(0, comma)))?.[1]?.toLowerCase();
  const base64 = url.slice(comma + 1);
  if (mediaType === undefined || base64.length > MAX_IMAGE_CHARACTERS) return undefined;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? { mediaType, base64 } : undefined;
}

/**
 * Returns the text in a `data:` URL (RFC 2397) of a text type. Returns `undefined` for other addresses and types, and for data
 * that is too long or damaged.
 */
export function textOfDataUrl(url: string): string | undefined {
  const comma = url.slice(0, 500).indexOf(',');
  if (comma < 0 || url.length > MAX_TEXT_LENGTH * 2) return undefined;
  const head = HEAD.exec(url.slice(0, comma));
  if (head === null) return undefined;
  try {
    const data = url.slice(comma + 1);
    const text = head[2] === undefined ? decodeURIComponent(data) : decodeBase64(data);
    return text.length > MAX_TEXT_LENGTH ? undefined : text;
  } catch {
    // Damaged escapes or Base64: an unreadable file is ignored.
    return undefined;
  }
}

function decodeBase64(data: string): string {
  const binary = atob(decodeURIComponent(data));
  return decodeUtf8(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}
