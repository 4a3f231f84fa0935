import type { RequestBody } from '../../../../core/api-reference/playground/build-request.ts';

export interface ApiAnswer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Of the content type, in lower case, without parameters. */
  mediaType: string;
  /** Final URL, after redirects. */
  url: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The body was truncated. */
  isCut: boolean;
  elapsedMs: number;
}

export type FailureReason = 'cors' | 'unreachable' | 'mixed' | 'offline' | 'redirect' | 'stopped' | 'refused' | 'proxy';

/** Why there is no readable response. */
export class SendFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message = '') {
    super(message);
    this.reason = reason;
  }
}

/** Returns the body in a form that `fetch` accepts. */
export function bodyOf(body: RequestBody): BodyInit {
  switch (body.kind) {
    case 'text':
      return body.text;
    case 'form':
      return new URLSearchParams(body.fields).toString();
    case 'file':
      return body.file as File;
    case 'multipart': {
      const form = new FormData();
      for (const { name, value, contentType } of body.parts) {
        if (value instanceof File) form.append(name, contentType ? new File([value], value.name, { type: contentType }) : value);
        else if (typeof value === 'string' && contentType) form.append(name, new Blob([value], { type: contentType }));
        else form.append(name, String(value));
      }
      return form;
    }
  }
}
