/** What changes are about, in the order in which filters list them. */
export const AUDIT_KINDS = {
  sites: 'Sites and hostnames',
  publishing: 'Publishing and previews',
  exports: 'Exports',
  assistant: 'Assistant',
  analytics: 'Analytics and feedback',
  keys: 'Keys',
  members: 'Members and invitations',
  organization: 'Organization',
  accounts: 'Accounts and sign-in',
} as const;
export type AuditKind = keyof typeof AUDIT_KINDS;

/** What an operation acts on: how its name and its state are looked up. */
export type AuditedThing =
  | 'site'
  | 'site-settings'
  | 'assistant-settings'
  | 'security-settings'
  | 'site-access'
  | 'analytics-settings'
  | 'source'
  | 'deployment'
  | 'live-deployment'
  | 'preview'
  | 'hostname'
  | 'export'
  | 'stream'
  | 'webhook'
  | 'git-source'
  | 'feedback'
  | 'key'
  | 'member'
  | 'invitation'
  | 'organization';

interface AuditedOperation {
  kind: AuditKind;
  thing: AuditedThing;
  /** Infinitive and past tense. */
  verb: readonly [infinitive: string, past: string];
  /** `{thing}` and `{site}` are replaced by names. */
  object: string;
  /** In place of `object` while the name of the thing is unknown. */
  unnamed?: string;
}

const operation = (
  kind: AuditKind,
  thing: AuditedThing,
  verb: readonly [string, string],
  object: string,
  unnamed?: string,
): AuditedOperation => ({ kind, thing, verb, object, ...(unnamed !== undefined && { unnamed }) });

const create = ['create', 'created'] as const;
const change = ['change', 'changed'] as const;
const remove = ['delete', 'deleted'] as const;
const start = ['start', 'started'] as const;
const cancel = ['cancel', 'canceled'] as const;
const revoke = ['revoke', 'revoked'] as const;
const takeOver = ['take over', 'took over'] as const;
const publish = ['publish', 'published'] as const;
const signIn = ['sign in', 'signed in'] as const;
const join = ['join', 'joined'] as const;

/**
 * Every operation in the audit log, by its name in the API: the one place that puts them into
 * words.
 */
export const AUDITED: Readonly<Record<string, AuditedOperation>> = {
  createProject: operation('sites', 'site', create, 'the site {site}'),
  changeProject: operation('sites', 'site-settings', change, 'the settings of {site}'),
  deleteProject: operation('sites', 'site', remove, 'the site {site}'),
  changeProjectSecuritySettings: operation(
    'sites',
    'security-settings',
    change,
    'the security settings of {site}',
  ),
  changeSiteAccess: operation('sites', 'site-access', change, 'who may read {site}'),
  createReaderTokenKey: operation(
    'sites',
    'site-access',
    create,
    'a key for tokens of readers of {site}',
  ),
  endReaderSession: operation(
    'sites',
    'site',
    ['end', 'ended'],
    'the session of a reader of {site}',
  ),
  endReaderSessions: operation(
    'sites',
    'site',
    ['end', 'ended'],
    'all sessions of readers of {site}',
  ),
  addHostname: operation(
    'sites',
    'hostname',
    ['add', 'added'],
    'the hostname {thing} to {site}',
    'a hostname to {site}',
  ),
  verifyHostname: operation(
    'sites',
    'hostname',
    ['check', 'checked'],
    'the hostname {thing} of {site}',
    'a hostname of {site}',
  ),
  approveHostname: operation(
    'sites',
    'hostname',
    ['approve', 'approved'],
    'the hostname {thing} of {site}',
    'a hostname of {site}',
  ),
  removeHostname: operation(
    'sites',
    'hostname',
    ['remove', 'removed'],
    'the hostname {thing} from {site}',
    'a hostname from {site}',
  ),

  putProjectSource: operation(
    'publishing',
    'source',
    publish,
    'the preview {thing} of {site}',
    '{site}',
  ),
  updateProject: operation('publishing', 'site', publish, '{site} again'),
  changeDeployment: operation(
    'publishing',
    'deployment',
    change,
    'the deployment {thing} of {site}',
    'a deployment of {site}',
  ),
  deleteDeployment: operation(
    'publishing',
    'deployment',
    remove,
    'the deployment {thing} of {site}',
    'a deployment of {site}',
  ),
  cancelDeployment: operation(
    'publishing',
    'deployment',
    cancel,
    'the deployment {thing} of {site}',
    'a deployment of {site}',
  ),
  promoteDeployment: operation(
    'publishing',
    'live-deployment',
    ['switch', 'switched'],
    '{site} to the deployment {thing}',
    '{site} to another deployment',
  ),
  rebuildDeployment: operation(
    'publishing',
    'deployment',
    publish,
    'the source of the deployment {thing} of {site} again',
    'the source of a deployment of {site} again',
  ),
  connectGitSource: operation(
    'publishing',
    'git-source',
    ['connect', 'connected'],
    '{site} with the Git repository {thing}',
    '{site} with a Git repository',
  ),
  changeGitSource: operation(
    'publishing',
    'git-source',
    change,
    'the Git source {thing} of {site}',
    'the Git source of {site}',
  ),
  checkGitSource: operation(
    'publishing',
    'git-source',
    ['check', 'checked'],
    'the Git source {thing} of {site}',
    'the Git source of {site}',
  ),
  rotateGitWebhookSecret: operation(
    'publishing',
    'git-source',
    ['create', 'created'],
    'a secret for the webhook of the Git source {thing} of {site}',
    'a secret for the webhook of the Git source of {site}',
  ),
  approvePullRequest: operation(
    'publishing',
    'git-source',
    ['let', 'let'],
    'a pull request of {thing} be built for {site}',
    'a pull request be built for {site}',
  ),
  disconnectGitSource: operation(
    'publishing',
    'git-source',
    ['disconnect', 'disconnected'],
    '{site} from the Git repository {thing}',
    '{site} from its Git repository',
  ),
  createPreview: operation(
    'publishing',
    'preview',
    ['set up', 'set up'],
    'the preview {thing} of {site}',
    'a preview of {site}',
  ),
  changePreview: operation(
    'publishing',
    'preview',
    change,
    'the preview {thing} of {site}',
    'a preview of {site}',
  ),
  startPreview: operation(
    'publishing',
    'preview',
    ['build', 'built'],
    'the preview {thing} of {site}',
    'a preview of {site}',
  ),
  deletePreview: operation(
    'publishing',
    'preview',
    remove,
    'the preview {thing} of {site}',
    'a preview of {site}',
  ),

  startStaticExport: operation('exports', 'export', start, 'an export of {site}'),
  startProjectExport: operation('exports', 'export', start, 'an export of {site}'),
  cancelStaticExport: operation('exports', 'export', cancel, 'an export of {site}'),
  getStaticExportBundle: operation(
    'exports',
    'export',
    ['download', 'downloaded'],
    'the bundle of an export of {site}',
  ),

  changeProjectAssistantSettings: operation(
    'assistant',
    'assistant-settings',
    change,
    'the assistant settings of {site}',
  ),

  changeProjectAnalyticsSettings: operation(
    'analytics',
    'analytics-settings',
    change,
    'the analytics settings of {site}',
  ),
  deleteAnalytics: operation('analytics', 'site', remove, 'the analytics of {site}'),
  changeFeedback: operation('analytics', 'feedback', change, 'the state of feedback on {site}'),
  createWebhook: operation('organization', 'webhook', create, 'the webhook {thing}', 'a webhook'),
  changeWebhook: operation('organization', 'webhook', change, 'the webhook {thing}', 'a webhook'),
  takeOverWebhook: operation(
    'organization',
    'webhook',
    takeOver,
    'the webhook {thing}',
    'a webhook',
  ),
  rotateWebhookSecret: operation(
    'organization',
    'webhook',
    change,
    'the secret of the webhook {thing}',
    'the secret of a webhook',
  ),
  testWebhook: operation(
    'organization',
    'webhook',
    ['test', 'tested'],
    'the webhook {thing}',
    'a webhook',
  ),
  replayWebhookDelivery: operation(
    'organization',
    'webhook',
    ['send', 'sent'],
    'an event to the webhook {thing} again',
    'an event to a webhook again',
  ),
  deleteWebhook: operation('organization', 'webhook', remove, 'the webhook {thing}', 'a webhook'),
  createAnalyticsStream: operation(
    'analytics',
    'stream',
    create,
    'the stream {thing} of {site}',
    'a stream of {site}',
  ),
  changeAnalyticsStream: operation(
    'analytics',
    'stream',
    change,
    'the stream {thing} of {site}',
    'a stream of {site}',
  ),
  takeOverStream: operation(
    'analytics',
    'stream',
    takeOver,
    'the stream {thing} of {site}',
    'a stream of {site}',
  ),
  deleteAnalyticsStream: operation(
    'analytics',
    'stream',
    remove,
    'the stream {thing} of {site}',
    'a stream of {site}',
  ),
  testAnalyticsStream: operation(
    'analytics',
    'stream',
    ['test', 'tested'],
    'the stream {thing} of {site}',
    'a stream of {site}',
  ),
  rotateAnalyticsStreamSecret: operation(
    'analytics',
    'stream',
    ['replace', 'replaced'],
    'the secret of the stream {thing} of {site}',
    'the secret of a stream of {site}',
  ),

  createKey: operation('keys', 'key', create, 'the key {thing}', 'a key'),
  revokeKey: operation('keys', 'key', revoke, 'the key {thing}', 'a key'),

  takeOverKey: operation('keys', 'key', takeOver, 'the key {thing}', 'a key'),

  createInvitation: operation(
    'members',
    'invitation',
    ['invite', 'invited'],
    '{thing}',
    'a person',
  ),
  revokeInvitation: operation(
    'members',
    'invitation',
    revoke,
    'the invitation of {thing}',
    'an invitation',
  ),
  takeOverInvitation: operation(
    'members',
    'invitation',
    takeOver,
    'the invitation of {thing}',
    'an invitation',
  ),
  acceptInvitation: operation('members', 'member', join, 'the organization by invitation'),
  joinBySso: operation('members', 'member', join, 'the organization by single sign-on'),
  changeMember: operation(
    'members',
    'member',
    change,
    'the role of {thing}',
    'the role of a member',
  ),
  removeMember: operation(
    'members',
    'member',
    ['remove', 'removed'],
    '{thing} from the organization',
    'a member',
  ),

  setUp: operation('organization', 'organization', ['set up', 'set up'], 'the organization'),
  createOrganization: operation('organization', 'organization', create, 'another organization'),
  changeOrganization: operation(
    'organization',
    'organization',
    change,
    'the settings of the organization',
  ),
  deleteOrganization: operation('organization', 'organization', remove, 'the organization'),

  createPasswordReset: operation(
    'accounts',
    'member',
    create,
    'a password reset link for {thing}',
    'a password reset link',
  ),
  unlockUser: operation(
    'accounts',
    'member',
    ['unlock', 'unlocked'],
    'the sign-in of {thing}',
    'a sign-in',
  ),
  removeTwoFactor: operation(
    'accounts',
    'member',
    ['remove', 'removed'],
    'the second factor of {thing}',
    'a second factor',
  ),
  deleteUser: operation('accounts', 'member', remove, 'the account of {thing}', 'an account'),
  resetPassword: operation('accounts', 'member', ['reset', 'reset'], 'their password'),
  changePassword: operation('accounts', 'member', change, 'their password'),
  enableTwoFactor: operation(
    'accounts',
    'member',
    ['set up', 'set up'],
    'two-factor authentication',
  ),
  disableTwoFactor: operation(
    'accounts',
    'member',
    ['turn off', 'turned off'],
    'two-factor authentication',
  ),
  createRecoveryCodes: operation('accounts', 'member', create, 'new recovery codes'),
  revokeSession: operation('accounts', 'member', ['end', 'ended'], 'one of their sessions'),
  revokeOtherSessions: operation('accounts', 'member', ['end', 'ended'], 'their other sessions'),
  signInWithPassword: operation('accounts', 'member', signIn, 'with their password'),
  signInWithCode: operation('accounts', 'member', signIn, 'with a code of their app'),
  signInWithRecoveryCode: operation('accounts', 'member', signIn, 'with a recovery code'),
  signInWithPasskey: operation('accounts', 'member', signIn, 'with a passkey'),
  addPasskey: operation('accounts', 'member', ['add', 'added'], 'a passkey'),
  deletePasskey: operation('accounts', 'member', remove, 'one of their passkeys'),
  signInWithSso: operation('accounts', 'member', signIn, 'with single sign-on'),
  signOut: operation('accounts', 'member', ['sign out of', 'signed out of'], 'a session'),
  endUserSessions: operation(
    'accounts',
    'member',
    ['end', 'ended'],
    'all sessions of {thing}',
    'all sessions of a person',
  ),
  endMemberSessions: operation(
    'accounts',
    'member',
    ['end', 'ended'],
    'all sessions of {thing}',
    'all sessions of a member',
  ),
  revokeTrustedDevice: operation(
    'accounts',
    'member',
    ['end', 'ended'],
    'the trust in one of their browsers',
  ),
  connectSingleSignOn: operation(
    'accounts',
    'member',
    ['connect', 'connected'],
    'their account to single sign-on',
  ),
  disconnectSingleSignOn: operation(
    'accounts',
    'member',
    ['disconnect', 'disconnected'],
    'their account from single sign-on',
  ),
};

/** What the sentence of an entry is made from. */
export interface AuditedEntry {
  action: string;
  outcome: 'done' | 'refused' | 'failed';
  actor: string;
  actorName: string | null;
  actorKind: 'person' | 'key' | 'operator' | null;
  thingName: string | null;
  siteName: string | null;
}

interface SentencePart {
  text: string;
  /** Whether it is a name rather than our words. */
  isName: boolean;
}

/** Returns the sentence of an entry, such as "Ada published Hoppscotch", with its names apart. */
export function auditParts(entry: AuditedEntry): SentencePart[] {
  const { verb, object } = wordsOf(entry);
  const words = entry.outcome === 'done' ? verb[1] : `tried to ${verb[0]}`;
  const names: Record<string, string> = {
    '{thing}': entry.thingName ?? '',
    '{site}': entry.siteName ?? 'a site',
  };
  const parts = object.split(/(\{thing\}|\{site\})/).map((text) => {
    const name = names[text];
    return { text: name ?? text, isName: name !== undefined };
  });
  return [...actorParts(entry), { text: ` ${words} `, isName: false }, ...parts].filter(
    ({ text }) => text !== '',
  );
}

/** Returns the sentence of an entry as text. */
export function auditSentence(entry: AuditedEntry): string {
  return auditParts(entry)
    .map(({ text }) => text)
    .join('');
}

function actorParts({ actor, actorKind, actorName }: AuditedEntry): SentencePart[] {
  if (actor === 'operator') return [{ text: 'The operator', isName: true }];
  if (actorName === null) return [{ text: 'Someone without a name here', isName: false }];
  if (actorKind !== 'key') return [{ text: actorName, isName: true }];
  return [
    { text: 'The key ', isName: false },
    { text: actorName, isName: true },
  ];
}

function wordsOf({ action, thingName }: Pick<AuditedEntry, 'action' | 'thingName'>) {
  const { verb, object, unnamed } = AUDITED[action] ?? {
    verb: ['run', 'ran'] as const,
    object: spaced(action),
  };
  return { verb, object: thingName === null ? (unnamed ?? object) : object };
}

/** Returns the operations of a kind. */
export function operationsOfKind(kind: AuditKind): string[] {
  return Object.keys(AUDITED).filter((name) => AUDITED[name]?.kind === kind);
}

/**
 * Returns the operations whose words contain a text, in lower case, so that a search finds what the
 * list shows.
 */
export function operationsSaying(text: string): string[] {
  const words = ({ verb, object, unnamed = '' }: AuditedOperation) =>
    `${verb.join(' ')} ${object} ${unnamed}`;
  return Object.entries(AUDITED).flatMap(([name, described]) =>
    words(described)
      .replaceAll(/\{\w+\}/g, '')
      .toLowerCase()
      .includes(text)
      ? [name]
      : [],
  );
}

/** A changed property, before and after. */
export interface AuditChange {
  field: string;
  before: AuditValue;
  after: AuditValue;
}
export type AuditValue = string | number | boolean | null | string[];

/** Properties whose names do not say what they are. */
const FIELD_TITLES: Readonly<Record<string, string>> = {
  slug: 'Identifier',
  noindex: 'Hidden from search engines',
  live: 'Live deployment',
  twoFactorRequired: 'Two-factor authentication required',
  pinned: 'Kept forever',
  password: 'Password of readers',
  jwt: 'Tokens of readers',
  members: 'Sign-in of members',
  oidc: 'OpenID Connect provider of readers',
  oauth: 'OAuth 2 server of readers',
};

/** The title of a changed property: `retentionDays` becomes "Retention days". */
export function fieldTitle(field: string): string {
  return FIELD_TITLES[field] ?? spaced(field).replace(/^./, (letter) => letter.toUpperCase());
}

function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const MAX_VALUE_CHARACTERS = 500;

/**
 * Returns which properties differ between two states of a thing; of a new one, those that are set.
 */
export function changesBetween(
  before: object | undefined,
  after: object | undefined,
): AuditChange[] {
  if (!after) return [];
  return Object.entries(after).flatMap(([field, value]) => {
    const change = {
      field,
      before: shown(before?.[field as keyof typeof before]),
      after: shown(value),
    };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

function shown(value: unknown): AuditValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? null : value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
