import type { AssistantSettings } from '@docent/assistant/assistant-settings.ts';
import type { AuditChange } from '@docent/format/access/audit-words.ts';
import type { DnsRecord, HostnameStatus } from '@docent/format/access/hostname-proof.ts';
import type { KeyKind, KeyScope } from '@docent/format/access/keys.ts';
import type { Plan, Role } from '@docent/format/access/may.ts';
import type { SiteSecurity, SiteSettings } from '@docent/format/access/site-settings.ts';
import type { AnalyticsSettings } from '@docent/format/analytics/analytics-settings.ts';
import type { StreamTarget } from '@docent/format/analytics/stream-target.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import type { Dependency } from '@docent/format/dependencies.ts';
import type { BuildStage, LogLine } from '@docent/format/deployments/build-progress.ts';
import type { Commit, DeploymentSource, GitPart } from '@docent/format/deployments/commit.ts';
import type { PageChanges } from '@docent/format/deployments/page-changes.ts';
import type { ExportJobOptions } from '@docent/format/exports/export-options.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import type { ExportStatus } from '@docent/format/exports/job-state.ts';
import type { ColumnType, Generated, RawBuilder, Selection } from 'kysely';
import type { CreatedAt, Json, UpdatedAt } from './column-types.ts';
import type { ConversationTables } from './conversation-tables.ts';
import type { GitTables } from './git/git-tables.ts';
import type { DirectoryTables } from './people/directory-tables.ts';
import type { PeopleOidc, ReaderTables, StoredMethods } from './readers/reader-tables.ts';
import type { WebhookTables } from './webhooks/webhook-tables.ts';

export type DeploymentStatus = 'queued' | 'in_progress' | 'success' | 'failure';

/** Why a deployment ended without success or an error of its own; its status is `failure`. */
export type EndReason = 'canceled' | 'superseded';

/** The column of deployments keeps the spelling that version 0.1.0 reads. */
type StoredEndReason = 'cancelled' | 'superseded';

/** In place of a key: the build was deleted. */
export const DELETED_MANIFEST = '';

export type AuditOutcome = 'done' | 'refused' | 'failed';
export type AuditActorKind = 'person' | 'key' | 'operator' | 'directory';

/** The columns of every table. */
export interface Tables
  extends ConversationTables,
    DirectoryTables,
    GitTables,
    ReaderTables,
    WebhookTables {
  /** Written only by the accounts adapter, like all tables that begin with `user_`. */
  users: {
    id: string;
    name: string;
    /** Lower case. */
    email: string;
    email_verified: Generated<boolean>;
    image: string | null;
    two_factor_enabled: Generated<boolean>;
    /** Failed sign-ins before it no longer count. */
    sign_ins_counted_from: ColumnType<Date | null, undefined, Date>;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  user_sessions: {
    id: string;
    user_id: string;
    token: string;
    ip_address: string | null;
    user_agent: string | null;
    /** Of a session that the provider of an organization began: it reaches nothing else. */
    organization_id: Generated<string | null>;
    /** When that provider ends it, however much it is used. */
    ends_at: Generated<Date | null>;
    expires_at: Date;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  organization_sign_ins: {
    organization_id: string;
    saml: ColumnType<NonNullable<StoredMethods['saml']> | null, string | null, string | null>;
    oidc: ColumnType<PeopleOidc | null, string | null | undefined, string | null>;
    required: boolean;
    allowed_addresses: ColumnType<string[], string[] | undefined, string[]>;
    limits_keys: ColumnType<boolean, boolean | undefined, boolean>;
    updated_at: UpdatedAt;
  };
  user_credentials: {
    id: string;
    user_id: string;
    provider_id: string;
    account_id: string;
    /** Its hash; null for an identity at a provider. */
    password: string | null;
    /** Of an identity at a provider; null if it was connected before this was stored. */
    issuer: string | null;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  /**
   * Links, steps of a sign-in and trusted devices until they are used; `value` is the id of the
   * person, or JSON.
   */
  user_verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
  };
  user_two_factors: {
    id: string;
    user_id: string;
    /** Encrypted, as the codes are. */
    secret: string;
    backup_codes: string;
    /** The time step of the last accepted code. */
    last_step: number | null;
  };
  user_passkeys: {
    id: string;
    user_id: string;
    /** Of the key, as authenticators name it: base64url. */
    credential_id: string;
  };
  user_trusted_devices: {
    id: string;
    user_id: string;
    /** As in `user_verifications`. */
    identifier: string;
    ip_address: string | null;
    user_agent: string | null;
    trusted_at: Date;
    used_at: Date;
    expires_at: Date;
  };
  members: {
    organization_id: string;
    user_id: string;
    role: Role;
    created_at: CreatedAt;
  };
  invitations: {
    id: string;
    organization_id: string;
    /** Lower case. */
    email: string;
    role: Role;
    token_hash: string;
    /** The actor, as in the audit log. */
    invited_by: string;
    expires_at: Date;
    created_at: CreatedAt;
  };
  setup_tokens: {
    hash: string;
    created_at: CreatedAt;
  };
  organizations: {
    id: string;
    slug: string;
    /** The latest last; another organization may have one now. */
    former_slugs: Generated<string[]>;
    name: string;
    plan: Plan;
    highest_plan: Generated<Plan>;
    /** The operator's organization. */
    is_default: Generated<boolean>;
    /** Members with a password need a second factor. */
    two_factor_required: Generated<boolean>;
    /** The person who created it and is accountable for what it uses; null if the operator did. */
    created_by_user: Generated<string | null>;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  sites: {
    /** The `projectId` of the API. */
    id: string;
    organization_id: string;
    /** The site's identifier: `domain` in the API, `<slug>.localhost` when served locally. */
    slug: string;
    name: string;
    /** Key of the manifest of the live build. */
    live_deployment_id: string | null;
    /** Absent fields have their default. */
    assistant_settings: ColumnType<
      Partial<AssistantSettings>,
      string | undefined,
      string | RawBuilder<unknown>
    >;
    /** Absent fields have their default. */
    security: ColumnType<Partial<SiteSecurity>, string | undefined, string | RawBuilder<unknown>>;
    /** Absent fields have their default. */
    settings: ColumnType<Partial<SiteSettings>, string | undefined, string | RawBuilder<unknown>>;
    /** Whether an owner chose the name; otherwise each publish sets it from docs.json. */
    has_chosen_name: Generated<boolean>;
    /** When an owner last chose what is live. */
    promoted_at: ColumnType<Date | null, Date | undefined, Date>;
    /** The number that a deployment would have had then. */
    promoted_number: ColumnType<string | null, undefined, string | RawBuilder<string>>;
    /** Absent fields have their default. */
    analytics_settings: ColumnType<
      Partial<AnalyticsSettings>,
      string | undefined,
      string | RawBuilder<unknown>
    >;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  turn_shares: {
    kind: string;
    /** Id of a person or an organization. */
    account: string;
    /** Where its last turn ended, in seconds on a scale that all accounts share. */
    used: Generated<number>;
  };
  previews: {
    id: string;
    site_id: string;
    /** Precedes the identifier of the site in its address. */
    name: string;
    branch: string;
    /** Null: public. */
    password_hash: string | null;
    /** Only members of the organization may read it; the password is one that nobody knows. */
    members_only: Generated<boolean>;
    /** As in the audit log; null if that was not recorded. */
    created_by: string | null;
    /** The deployment shown; null until the first build. */
    deployment_id: string | null;
    /** Days that it is kept after each deployment; null means forever. */
    lifetime_days: number | null;
    expires_at: Date | null;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  /** Former identifiers of sites. */
  site_aliases: {
    slug: string;
    site_id: string;
    created_at: CreatedAt;
  };
  /** Identifiers of deleted sites, which stay with their organization for a while. */
  reserved_slugs: {
    slug: string;
    /** May be deleted. */
    organization_id: string;
    /** What the site claimed. */
    hostnames: string[];
    /** When it is free, unless a hostname still points there. */
    check_at: Date;
    created_at: Date;
  };
  site_hostnames: {
    /** Lower case. */
    hostname: string;
    site_id: string;
  };
  hostname_claims: {
    hostname: string;
    site_id: string;
    token: string;
    status: HostnameStatus;
    /** Verified without a proof: by the operator, or before proofs were required. */
    approved: Generated<boolean>;
    found: Json<DnsRecord[]>;
    problem: string | null;
    pending_since: Date;
    proven_at: Date | null;
    checked_at: Date | null;
    /** When DNS is checked next; `null` if it is not checked automatically. */
    check_at: Date | null;
  };
  analytics_streams: {
    id: string;
    site_id: string;
    name: string;
    enabled: boolean;
    target: ColumnType<StreamTarget, string, string>;
    /** Encrypted, like the previous one. */
    secret: string;
    former_secret: string | null;
    former_until: Date | null;
    /** Every event up to this number was delivered or dropped. */
    last_event: number;
    /** Last event of the batch that is being delivered. */
    batch_until: number | null;
    delivered: Generated<number>;
    dropped: Generated<number>;
    failures: Generated<number>;
    last_delivered_at: Date | null;
    last_error: string | null;
    last_error_at: Date | null;
    deliver_at: Date;
    /** Who created it or took it over, as in the audit log; null if that was not recorded. */
    made_by: string | null;
    created_at: CreatedAt;
  };
  deployments: {
    /** The `statusId` of the API. */
    id: string;
    site_id: string;
    status: DeploymentStatus;
    /** Blob key of the uploaded archive. */
    source_key: string;
    /** Queued, but not yet in the job queue. */
    waiting: Generated<boolean>;
    /** Where its turn begins on the scale of `turn_shares`; null while it waits. */
    share: Generated<number | null>;
    /** Later ones have larger numbers, whatever the clock says. */
    number: ColumnType<string, undefined, never>;
    /** The superseded deployment whose place in the queue this one took; null if it has its own. */
    turn: Generated<string | null>;
    /** Blob key of the `SiteBuild`; set on success, `DELETED_MANIFEST` once it was deleted. */
    manifest_key: string | null;
    /** Id of the `SiteBuild`; set on success. */
    build_id: string | null;
    summary: Generated<string>;
    /** Number of attempts to build it. */
    attempts: Generated<number>;
    /** Attempts that ended with an error, not counting those of killed processes. */
    failures: Generated<number>;
    report: Json<BuildReport | null>;
    /** Set on builds for a preview, until they are made live. */
    preview_id: Generated<string | null>;
    /** Name of the preview that it was built for, if it was made live. */
    promoted_from: ColumnType<string | null, undefined, string | RawBuilder<string | null>>;
    /** When it first became live; null if it never was. */
    first_live_at: ColumnType<Date | null, undefined, Date | RawBuilder<Date>>;
    /**
     * What it waits for while that is unavailable; older versions leave it when they go on, so it
     * counts only while `queued`.
     */
    waiting_for: ColumnType<Dependency | null, undefined, Dependency | null>;
    end_reason: ColumnType<StoredEndReason | null, undefined, StoredEndReason>;
    /** The commit of its source; null if nobody sent one. */
    git: ColumnType<Commit | null, string | null | undefined, string>;
    /** The ref that it is fetched from when it is built; null if its source was uploaded. */
    git_ref: ColumnType<string | null, string | null | undefined, never>;
    /** Of a site of several sources: the ref of each, and its commit once it is fetched. */
    git_parts: ColumnType<GitPart[] | null, string | null | undefined, string>;
    /** The request that started it, for the log. */
    request_id: ColumnType<string | null, string | undefined, never>;
    /** Who started it, as in the audit log; null if that was not recorded, like its source. */
    actor: ColumnType<string | null, string | undefined, never>;
    source: ColumnType<DeploymentSource | null, DeploymentSource | undefined, never>;
    /** Its build never expires. */
    pinned: Generated<boolean>;
    /** Deleted by an owner; the row stays for the exports that were made from it. */
    deleted_at: ColumnType<Date | null, undefined, Date>;
    /** When its last attempt started. */
    started_at: ColumnType<Date | null, undefined, Date>;
    stages: Json<BuildStage[]>;
    log: Json<LogLine[]>;
    /** Number of pages that it added, changed and removed; null if it was not built. */
    changes: ColumnType<PageChanges | null, undefined, string | null>;
    /** Counts of the report. */
    page_count: Generated<number>;
    error_count: Generated<number>;
    warning_count: Generated<number>;
    /** Size of the uploaded archive, while it is stored. */
    source_bytes: Generated<number>;
    /** Size of all files of the build, while it is stored. */
    build_bytes: Generated<number>;
    /**
     * Size of the files that the site's previous build did not have; for a failed build, of its
     * leftovers.
     */
    added_bytes: Generated<number>;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
    ended_at: Date | null;
  };
  api_keys: {
    id: string;
    organization_id: string;
    /** Set on assistant keys. */
    site_id: string | null;
    kind: KeyKind;
    name: string;
    /** Sites that an admin key is bound to; empty: all of the organization. */
    site_ids: ColumnType<string[], string[] | undefined, never>;
    /** Hex SHA-256 of the whole key; with a prefix if it is bound to sites. */
    hash: string;
    /** Shown in lists: prefix and the last four characters. */
    masked: string;
    /** All but `keys`, which is stored in `may_create_keys`. */
    scopes: Exclude<KeyScope, 'keys'>[];
    /** Null on keys of a version without that scope: `write` included it. */
    may_create_keys: boolean | null;
    /**
     * The key that created it, which is revoked together with it; null if a person or the operator
     * did.
     */
    created_by: string | null;
    /** Who created it, as in the audit log; null if that was not recorded. */
    made_by: string | null;
    ip_allowlist: string[];
    origin_allowlist: string[];
    expires_at: Date | null;
    /** When webhooks were sent that it is about to expire. */
    expiry_sent_at: Generated<Date | null>;
    revoked_at: Date | null;
    last_used_at: Date | null;
    created_at: CreatedAt;
  };
  export_jobs: {
    /** `se_` and 16 hex digits. */
    id: string;
    organization_id: string;
    site_id: string;
    /** The deployment that is exported, fixed at the start. */
    deployment_id: string;
    /** The site, as the caller named it. */
    domain: string;
    version: string | null;
    /** The request that started it; null if an older version did. */
    request_id: ColumnType<string | null, string | undefined, never>;
    /** Requested pages; null for all. */
    paths: Json<string[] | null>;
    status: ExportStatus;
    /** 0–100; never decreases. */
    progress: Generated<number>;
    page_count: Generated<number>;
    total_pages: number | null;
    error: string | null;
    end_reason: ColumnType<'canceled' | null, undefined, 'canceled'>;
    bundle_key: string | null;
    bundle_size_bytes: number | null;
    bundle_sha256: string | null;
    idempotency_key: string | null;
    /** All but version and paths, which have their own columns. */
    options: Json<Omit<ExportJobOptions, 'version' | 'paths'>>;
    report: Json<ExportReport | null>;
    /** Queued, but not yet in the job queue, until the organization has a free slot. */
    waiting: Generated<boolean>;
    /** What it waits for while that is unavailable. */
    waiting_for: ColumnType<Dependency | null, undefined, Dependency | null>;
    /** Where its turn begins on the scale of `turn_shares`; null while it waits. */
    share: Generated<number | null>;
    /** The attempt that holds the job. */
    run_id: string | null;
    attempts: Generated<number>;
    /** Attempts that ended with an error. */
    failures: Generated<number>;
    /** Last heartbeat of the attempt that holds the job. */
    seen_at: Date | null;
    started_at: Date | null;
    ended_at: Date | null;
    /** Content of the bundle's `.minisig` file, if the operator signs bundles. */
    bundle_signature: string | null;
    bundle_deleted_at: Date | null;
    /** Who started it, as in the audit log; null if that was not recorded. */
    made_by: string | null;
    created_at: CreatedAt;
    updated_at: UpdatedAt;
  };
  /** The processes of the platform that were alive lately. */
  processes: {
    id: string;
    version: string;
    /** The newest number of each stored form that it reads. */
    reads: Json<Record<string, number>>;
    started_at: CreatedAt;
    seen_at: ColumnType<Date, Date | undefined, Date>;
  };
  /** The newest number of each stored form that was ever written, and by which version. */
  stored_forms: {
    name: string;
    number: number;
    version: string;
    written_at: ColumnType<Date, Date | undefined, Date>;
  };
  audit_log: {
    id: string;
    organization_id: string;
    at: Date;
    /** `operator` or the id of a key. */
    actor: string;
    /** The operation's id in the API description. */
    action: string;
    /** Null on entries from before names were stored, like all names. */
    actor_kind: AuditActorKind | null;
    actor_name: string | null;
    /** The resource: an identifier, if the request or its response names one. */
    thing: string | null;
    thing_name: string | null;
    /** The site that the entry is about; it may be deleted. */
    site_id: string | null;
    site_name: string | null;
    changes: Json<AuditChange[]>;
    request_id: string | null;
    address: string | null;
    outcome: AuditOutcome;
    /** Error code; null on success. */
    code: string | null;
  };
}

/** What a query of these tables, joined, returns for a list of columns. */
export type RowOf<Table extends keyof Tables, Columns extends readonly unknown[]> = Selection<
  Tables,
  Table,
  Columns[number]
>;
