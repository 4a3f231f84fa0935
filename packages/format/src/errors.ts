import type { Dependency } from './dependencies.ts';

/**
 * The catalog of errors. Every failure that a person or a program can see has a code here, a page
 * under `docs/errors/`, and a kind; the kind determines the HTTP status
 * (`server/kernel/http/problem.ts`) and the exit code (`cli/`).
 */
export const errorCatalog = {
  invalid_request: { kind: 'invalid', title: 'Invalid request' },
  malformed_json: { kind: 'invalid', title: 'Invalid JSON body' },
  invalid_archive: { kind: 'invalid', title: 'Archive rejected' },
  invalid_domain: { kind: 'invalid', title: 'Invalid domain' },
  invalid_paths: { kind: 'invalid', title: 'Path is not a page of the site' },
  invalid_setting: { kind: 'invalid', title: 'Invalid setting' },
  git_refused: { kind: 'invalid', title: 'Git source cannot be used' },
  build_failed: { kind: 'invalid', title: 'Build failed' },
  unauthenticated: { kind: 'unauthenticated', title: 'Authentication required' },
  sign_in_required: { kind: 'unauthenticated', title: 'Sign-in required' },
  wrong_credentials: { kind: 'unauthenticated', title: 'Wrong credentials' },
  foreign_origin: { kind: 'forbidden', title: 'Cross-origin request refused' },
  wrong_key_kind: { kind: 'forbidden', title: 'Wrong kind of key' },
  wrong_site: { kind: 'forbidden', title: 'Key of another site' },
  ip_not_allowed: { kind: 'forbidden', title: 'IP address not allowed' },
  origin_not_allowed: { kind: 'forbidden', title: 'Origin not allowed' },
  assistant_disabled: { kind: 'forbidden', title: 'Assistant turned off' },
  bot_check_failed: { kind: 'forbidden', title: 'Bot check failed' },
  key_too_wide: { kind: 'forbidden', title: 'A key cannot create a key with more access' },
  scope_missing: { kind: 'forbidden', title: 'Missing scope' },
  role_missing: { kind: 'forbidden', title: 'Your role does not allow this' },
  two_factor_required: { kind: 'forbidden', title: 'Two-factor authentication is required' },
  single_sign_on_required: {
    kind: 'forbidden',
    title: 'The identity provider of the organization is required',
  },
  account_session_required: { kind: 'forbidden', title: 'A sign-in to your account is required' },
  recent_sign_in_required: { kind: 'forbidden', title: 'A recent sign-in is required' },
  operator_required: { kind: 'forbidden', title: 'Operator only' },
  plan_required: { kind: 'forbidden', title: 'Not included in the plan' },
  quota_exceeded: { kind: 'forbidden', title: 'Quota exceeded' },
  call_refused: { kind: 'forbidden', title: 'Proxied call failed' },
  preview_locked: { kind: 'forbidden', title: 'Preview password required' },
  link_refused: { kind: 'forbidden', title: 'Link no longer valid' },
  organization_not_found: { kind: 'not-found', title: 'Organization not found' },
  member_not_found: { kind: 'not-found', title: 'Member not found' },
  invitation_not_found: { kind: 'not-found', title: 'Invitation not found' },
  user_not_found: { kind: 'not-found', title: 'Account not found' },
  site_not_found: { kind: 'not-found', title: 'Site not found' },
  page_not_found: { kind: 'not-found', title: 'Page not found' },
  job_not_found: { kind: 'not-found', title: 'Job not found' },
  deployment_not_found: { kind: 'not-found', title: 'Deployment not found' },
  preview_not_found: { kind: 'not-found', title: 'Preview not found' },
  hostname_not_found: { kind: 'not-found', title: 'Hostname not found' },
  key_not_found: { kind: 'not-found', title: 'Key not found' },
  feedback_not_found: { kind: 'not-found', title: 'Feedback not found' },
  git_source_not_found: { kind: 'not-found', title: 'No Git source' },
  github_app_not_found: { kind: 'not-found', title: 'GitHub App not found' },
  pull_request_not_found: { kind: 'not-found', title: 'Pull request not found' },
  webhook_not_found: { kind: 'not-found', title: 'Webhook not found' },
  delivery_not_found: { kind: 'not-found', title: 'Delivery not found' },
  stream_not_found: { kind: 'not-found', title: 'Stream not found' },
  thread_not_found: { kind: 'not-found', title: 'Thread not found' },
  experiment_not_found: { kind: 'not-found', title: 'No experiment' },
  reader_not_found: { kind: 'not-found', title: 'Reader not found' },
  reader_session_not_found: { kind: 'not-found', title: 'Session not found' },
  route_not_found: { kind: 'not-found', title: 'Not found' },
  method_not_allowed: { kind: 'method-not-allowed', title: 'Method not allowed' },
  misdirected_request: { kind: 'misdirected', title: 'Unknown host' },
  upload_too_slow: { kind: 'timeout', title: 'Upload too slow' },
  job_not_completed: { kind: 'conflict', title: 'Job not completed' },
  job_ended: { kind: 'conflict', title: 'Job already ended' },
  deployment_ended: { kind: 'conflict', title: 'Deployment already ended' },
  pushes_paused: { kind: 'conflict', title: 'Pushes wait after a rollback' },
  github_app_in_use: { kind: 'conflict', title: 'GitHub App in use' },
  deployment_in_use: { kind: 'conflict', title: 'Deployment in use' },
  no_language_model: { kind: 'conflict', title: 'No language model' },
  build_not_kept: { kind: 'conflict', title: 'Build not stored' },
  export_in_progress: { kind: 'conflict', title: 'Export in progress' },
  bundle_deleted: { kind: 'gone', title: 'Bundle deleted' },
  source_missing: { kind: 'conflict', title: 'No source to build' },
  account_exists: { kind: 'conflict', title: 'Account already exists' },
  last_owner: { kind: 'conflict', title: 'Organization needs an owner' },
  organization_exists: { kind: 'conflict', title: 'Organization already exists' },
  idempotency_key_reused: { kind: 'conflict', title: 'Idempotency-Key used for another request' },
  site_exists: { kind: 'conflict', title: 'Site already exists' },
  hostname_taken: { kind: 'conflict', title: 'Hostname already in use' },
  precondition_failed: { kind: 'precondition', title: 'Changed in the meantime' },
  delivery_repeated: { kind: 'conflict', title: 'Delivery was received before' },
  delivery_ignored: { kind: 'unprocessable', title: 'Nothing follows from the delivery' },
  database_too_new: { kind: 'conflict', title: 'Database of a newer version' },
  data_folder_in_use: { kind: 'conflict', title: 'Data folder in use' },
  port_in_use: { kind: 'conflict', title: 'Port in use' },
  body_too_large: { kind: 'too-large', title: 'Body too large' },
  headers_too_large: { kind: 'headers-too-large', title: 'Headers too large' },
  unsupported_media_type: { kind: 'unsupported-media-type', title: 'Unsupported media type' },
  rate_limited: { kind: 'rate-limited', title: 'Too many requests' },
  site_being_published: { kind: 'not-yet', title: 'Site is being published' },
  site_files_missing: { kind: 'unavailable', title: 'Files of the site missing' },
  dependency_unavailable: { kind: 'unavailable', title: 'Dependency unavailable' },
  git_unavailable: { kind: 'unavailable', title: 'Git server unavailable' },
  internal_error: { kind: 'internal', title: 'Internal error' },
} as const satisfies Record<string, { kind: string; title: string }>;

export type ErrorCode = keyof typeof errorCatalog;
export type ErrorKind = (typeof errorCatalog)[ErrorCode]['kind'];

/** A fault in a rejected body; `path` is a JSON pointer (RFC 6901). */
export interface FieldError {
  path: string;
  message: string;
}

export interface ErrorOptions {
  /** The faults of a rejected body, each with its path. */
  errors?: FieldError[];
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Position of the fault in the author's source. */
  place?: SourcePlace;
  /** What is unavailable, for `dependency_unavailable`. */
  dependency?: Dependency;
  cause?: unknown;
}

/** A place in a file of a documentation source; lines and columns count from 1. */
export interface SourcePlace {
  /** Path inside the source tree, without a leading slash. */
  file: string;
  /** Absent if the position in the file is unknown. */
  line?: number;
  column?: number;
}

/**
 * The only error type that this product throws deliberately. Its `message` is safe to show to the
 * caller.
 */
export class DocentError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly place: SourcePlace | undefined;
  readonly dependency: Dependency | undefined;

  /**
   * @param code the code in the catalog
   * @param detail one sentence about this case, safe to show: what is wrong, where, and how to fix
   *   it
   */
  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'DocentError';
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.place = options.place;
    this.dependency = options.dependency;
  }

  get kind(): ErrorKind {
    return errorCatalog[this.code].kind;
  }

  get title(): string {
    return errorCatalog[this.code].title;
  }
}
