import type { CheckRule, ValeRule } from '@docent/format/deployments/new-problems.ts';
import type { LoggedOutcome } from '@docent/format/sources/delivery.ts';
import type { GitCredentialsKind, GitProvider } from '@docent/format/sources/git-provider.ts';
import type { ForkRule, PullPreviews, PullState } from '@docent/format/sources/pull-request.ts';
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** The columns of the tables about repositories. */
export interface GitTables {
  git_sources: {
    id: string;
    /** The site whose base source it is; null for a further source. */
    site_id: string | null;
    /** The site that it is a further source of. */
    part_of: Generated<string | null>;
    /** Where the pages of a further source are; empty for the base. */
    path: Generated<string>;
    url: string;
    branch: string;
    /** Of the documentation in the repository; empty for all of it. */
    folder: string;
    provider: GitProvider;
    /** Whether a push is published without anybody asking. */
    automatic: boolean;
    credentials: GitCredentialsKind;
    username: string | null;
    /** Token or private key, encrypted. */
    secret: string | null;
    public_key: string | null;
    /** Keys that the host showed when it was first connected to by ssh. */
    known_hosts: string | null;
    /** Commit and content of the folder that were deployed, or looked at and left out. */
    seen_sha: string | null;
    seen_tree: string | null;
    /** The app that lets the server in, where credentials are `github_app`. */
    github_app_id: Generated<string | null>;
    /** When the branch is looked at next. */
    check_at: Date;
    checked_at: Date | null;
    /** When a look last found something new. */
    news_at: Generated<Date | null>;
    last_error: string | null;
    last_error_at: Date | null;
    /** Who connected it, as in the audit log. */
    made_by: string | null;
    /**
     * Signs what the server of the repository sends, encrypted; null until somebody asked for it.
     */
    webhook_secret: string | null;
    /** When it last sent something. */
    webhook_at: Date | null;
    /** Who reads the previews of pull requests. */
    previews: Generated<PullPreviews>;
    forks: Generated<ForkRule>;
    /** When a webhook last reported a pull request; refs are not listed after that. */
    pulls_told_at: Generated<Date | null>;
    /** The largest number of a pull request when refs were first listed. */
    pulls_above: Generated<number | null>;
    /** What makes the check of a pull request fail. */
    fails_on: Generated<CheckRule>;
    /** Whether test questions that lose their answer make it fail. */
    fails_on_answers: Generated<boolean>;
    /** Whether Vale checks how pages are written, and what that means for it. */
    vale: Generated<ValeRule>;
    /** Whether the files of submodules are fetched, and from which other hosts. */
    submodules: Generated<boolean>;
    submodule_hosts: Generated<string[]>;
    /** Whether the content of files in Git LFS is fetched. */
    lfs: Generated<boolean>;
    /** When an earlier deployment was made live; pushes are not published after that. */
    paused_at: Generated<Date | null>;
    /** Who did that, as in the audit log. */
    paused_by: Generated<string | null>;
    /** The newest commit that was pushed since then. */
    waiting_sha: Generated<string | null>;
    created_at: CreatedAt;
  };
  /** Apps at GitHub that organizations own. */
  github_apps: {
    id: string;
    organization_id: string;
    host: string;
    /** Hash of what GitHub sends back once the app is created; null after that. */
    state_hash: string | null;
    /** What GitHub names it; null until it is created. */
    app_id: string | null;
    name: string | null;
    owner: string | null;
    html_url: string | null;
    /** Private key and secret of the webhook, encrypted. */
    secrets: string | null;
    webhook_at: Date | null;
    made_by: string | null;
    created_at: CreatedAt;
  };
  pull_requests: {
    id: string;
    source_id: string;
    number: number;
    /** What is fetched: a branch of the repository itself, or what its server keeps for a fork. */
    ref: string;
    title: string;
    author: string | null;
    is_member: boolean;
    is_open: boolean;
    /** Commit of the ref when it was last looked at, and the one that somebody approved. */
    head_sha: string | null;
    approved_sha: string | null;
    /** Commit and content of the folder that were deployed last, or that change nothing. */
    seen_sha: string | null;
    seen_tree: string | null;
    state: PullState;
    preview_id: string | null;
    last_error: string | null;
    comment_id: Generated<string | null>;
    /** What was last said in a check run at GitHub. */
    check_run: Generated<string | null>;
    /** Why the server of the repository did not take the last report; null if it did. */
    report_error: Generated<string | null>;
    /**
     * The time in the newest message about it, or when a look closed or opened it; older messages
     * change nothing.
     */
    told_at: Date | null;
    /** When a look found it open; older messages do not close it. */
    seen_open_at: Generated<Date | null>;
    created_at: CreatedAt;
    updated_at: Date;
  };
  /** What became of deliveries of webhooks, the newest of each source. */
  git_delivery_log: {
    id: string;
    source_id: string;
    /** As the sender names them. */
    delivery_id: string | null;
    event: string | null;
    /** The pull request that it is about. */
    pull_number: number | null;
    outcome: LoggedOutcome;
    /** Why nothing was deployed. */
    reason: string | null;
    received_at: Date;
  };
  /** Deliveries of webhooks that were accepted. */
  git_deliveries: {
    source_id: string;
    delivery_id: string;
    received_at: Date;
  };
}
