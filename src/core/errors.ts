/**
 * The catalogue of errors. Every failure that a person or a program can see has a code here, a page under
 * `docs/errors/`, and a kind; the kind alone decides the HTTP status (`http/problem.ts`) and the exit code (`cli/`).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'misdirected'
  | 'timeout'
  | 'conflict'
  | 'precondition'
  | 'gone'
  | 'too-large'
  | 'headers-too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'unavailable'
  | 'internal';

interface CatalogueEntry {
  kind: ErrorKind;
  title: string;
}

export const errorCatalogue = {
  invalid_request: { kind: 'invalid', title: 'The request is not valid' },
  malformed_json: { kind: 'invalid', title: 'The body is not valid JSON' },
  invalid_archive: { kind: 'invalid', title: 'The archive was refused' },
  invalid_domain: { kind: 'invalid', title: 'The domain is not valid' },
  invalid_paths: { kind: 'invalid', title: 'A path is not a page of the site' },
  invalid_setting: { kind: 'invalid', title: 'A setting is not valid' },
  build_failed: { kind: 'invalid', title: 'The site could not be built' },
  unauthenticated: { kind: 'unauthenticated', title: 'A valid key or session is required' },
  wrong_credentials: { kind: 'unauthenticated', title: 'The credentials are wrong' },
  foreign_origin: { kind: 'forbidden', title: 'The request came from another origin' },
  wrong_key_kind: { kind: 'forbidden', title: 'This key is not for this operation' },
  wrong_site: { kind: 'forbidden', title: 'This key belongs to another site' },
  ip_not_allowed: { kind: 'forbidden', title: 'This address may not use the key' },
  origin_not_allowed: { kind: 'forbidden', title: 'This origin may not use the key' },
  assistant_disabled: { kind: 'forbidden', title: 'The assistant of this site is switched off' },
  bot_check_failed: { kind: 'forbidden', title: 'The bot check was not passed' },
  key_too_wide: { kind: 'forbidden', title: 'A key cannot create one that may do more' },
  scope_missing: { kind: 'forbidden', title: 'The key lacks a scope' },
  role_missing: { kind: 'forbidden', title: 'Your role does not include this' },
  two_factor_required: { kind: 'forbidden', title: 'Two-factor authentication is required' },
  operator_required: { kind: 'forbidden', title: 'This is for the operator alone' },
  plan_required: { kind: 'forbidden', title: 'The plan does not include this' },
  quota_exceeded: { kind: 'forbidden', title: 'The quota is used up' },
  call_refused: { kind: 'forbidden', title: 'The call was not passed on' },
  preview_locked: { kind: 'forbidden', title: 'The preview needs a password' },
  link_refused: { kind: 'forbidden', title: 'The link is not valid any more' },
  organisation_not_found: { kind: 'not-found', title: 'There is no such organisation' },
  member_not_found: { kind: 'not-found', title: 'There is no such member' },
  invitation_not_found: { kind: 'not-found', title: 'There is no such invitation' },
  user_not_found: { kind: 'not-found', title: 'There is no such account' },
  site_not_found: { kind: 'not-found', title: 'There is no such site' },
  page_not_found: { kind: 'not-found', title: 'There is no such page' },
  job_not_found: { kind: 'not-found', title: 'There is no such job' },
  deployment_not_found: { kind: 'not-found', title: 'There is no such deployment' },
  preview_not_found: { kind: 'not-found', title: 'There is no such preview' },
  hostname_not_found: { kind: 'not-found', title: 'The site has no such hostname' },
  key_not_found: { kind: 'not-found', title: 'There is no such key' },
  feedback_not_found: { kind: 'not-found', title: 'There is no such feedback' },
  stream_not_found: { kind: 'not-found', title: 'The site has no such stream' },
  thread_not_found: { kind: 'not-found', title: 'There is no such thread' },
  route_not_found: { kind: 'not-found', title: 'There is nothing at this address' },
  method_not_allowed: { kind: 'method-not-allowed', title: 'This method is not allowed here' },
  misdirected_request: { kind: 'misdirected', title: 'Nobody has this host name here' },
  upload_too_slow: { kind: 'timeout', title: 'The upload was too slow' },
  job_not_completed: { kind: 'conflict', title: 'The job is not completed' },
  job_ended: { kind: 'conflict', title: 'The job has ended already' },
  deployment_ended: { kind: 'conflict', title: 'The deployment has ended already' },
  deployment_in_use: { kind: 'conflict', title: 'The deployment is in use' },
  build_not_kept: { kind: 'conflict', title: 'The build is not stored' },
  export_in_progress: { kind: 'conflict', title: 'Another export of the site is in progress' },
  bundle_deleted: { kind: 'gone', title: 'The bundle was deleted' },
  source_missing: { kind: 'conflict', title: 'There is no source to build' },
  account_exists: { kind: 'conflict', title: 'The account exists already' },
  last_owner: { kind: 'conflict', title: 'The organisation needs an owner' },
  organisation_exists: { kind: 'conflict', title: 'The organisation exists already' },
  idempotency_key_reused: { kind: 'conflict', title: 'The Idempotency-Key belongs to another request' },
  site_exists: { kind: 'conflict', title: 'The site exists already' },
  hostname_taken: { kind: 'conflict', title: 'Another site has the hostname' },
  precondition_failed: { kind: 'precondition', title: 'The thing was changed meanwhile' },
  database_too_new: { kind: 'conflict', title: 'The database belongs to a newer version' },
  data_folder_in_use: { kind: 'conflict', title: 'The data folder is in use' },
  port_in_use: { kind: 'conflict', title: 'The port is in use' },
  body_too_large: { kind: 'too-large', title: 'The body is too large' },
  headers_too_large: { kind: 'headers-too-large', title: 'The headers are too large' },
  unsupported_media_type: { kind: 'unsupported-media-type', title: 'The media type is not supported' },
  rate_limited: { kind: 'rate-limited', title: 'Too many requests' },
  dependency_unavailable: { kind: 'unavailable', title: 'A dependency is not available' },
  internal_error: { kind: 'internal', title: 'Something went wrong on the server' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One fault inside a rejected body; `path` is a JSON pointer (RFC 6901). */
export interface FieldError {
  path: string;
  message: string;
}

export interface ErrorOptions {
  /** The faults of a rejected body, each with its place. */
  errors?: FieldError[];
  /** Seconds until another try makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Where in the author's source the fault stands. */
  place?: SourcePlace;
  cause?: unknown;
}

/** A place in a file of a documentation source; lines and columns count from 1. */
export interface SourcePlace {
  file: string;
  line?: number;
  column?: number;
}

/** The one error type that this product throws on purpose. Its `message` is safe to show to the caller. */
export class DocentError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly place: SourcePlace | undefined;

  /**
   * @param code which entry of the catalogue
   * @param detail one sentence about this case, safe to show: what was wrong, where, and the remedy
   */
  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'DocentError';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.place = options.place;
  }

  get kind(): ErrorKind {
    return errorCatalogue[this.code].kind;
  }

  get title(): string {
    return errorCatalogue[this.code].title;
  }
}
