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
  | 'reader-view'
  | 'analytics-settings'
  | 'source'
  | 'deployment'
  | 'live-deployment'
  | 'preview'
  | 'hostname'
  | 'export'
  | 'stream'
  | 'webhook'
  | 'github-app'
  | 'git-source'
  | 'feedback'
  | 'key'
  | 'member'
  | 'invitation'
  | 'organization'
  | 'new-organization'
  | 'sign-in';

interface AuditedOperation {
  kind: AuditKind;
  thing: AuditedThing;
  /** Infinitive and past tense. */
  verb: readonly [infinitive: string, past: string];
  /** `{thing}` and `{site}` are replaced by names. */
  object: string;
  /** In place of `object` while the name of the thing is unknown. */
  unnamed: string;
}

const about =
  (kind: AuditKind) =>
  (
    thing: AuditedThing,
    verb: readonly [string, string],
    object: string,
    unnamed = object.replace(/\bthe (\w+(?: source| App)?) \{thing\}/, 'a $1'),
  ): AuditedOperation => ({ kind, thing, verb, object, unnamed });

/** Words of operations on the same kind of thing: with its name, and without. */
const ofOther = ['the organization {thing}', 'another organization'] as const;

const sites = about('sites');
const publishing = about('publishing');
const exports = about('exports');
const assistant = about('assistant');
const analytics = about('analytics');
const organization = about('organization');
const keys = about('keys');
const members = about('members');
const accounts = about('accounts');

const add = ['add', 'added'] as const;
const end = ['end', 'ended'] as const;
const create = ['create', 'created'] as const;
const open = ['open', 'opened'] as const;
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
  createProject: sites('site', create, 'the site {site}'),
  changeProject: sites('site-settings', change, 'the settings of {site}'),
  deleteProject: sites('site', remove, 'the site {site}'),
  changeProjectSecuritySettings: sites(
    'security-settings',
    change,
    'the security settings of {site}',
  ),
  changeSiteAccess: sites('site-access', change, 'who may read {site}'),
  createReaderTokenKey: sites('site-access', create, 'a key for tokens of readers of {site}'),
  inviteReader: sites('site', add, 'a reader of {site}'),
  removeReader: sites('site', remove, 'a reader of {site}'),
  endReaderSession: sites('site', end, 'the session of a reader of {site}'),
  endReaderSessions: sites('site', end, 'all sessions of readers of {site}'),
  viewSiteAsReader: sites('reader-view', open, '{site} as a reader of {thing}', '{site} as reader'),
  addHostname: sites('hostname', add, 'the hostname {thing} to {site}'),
  verifyHostname: sites('hostname', ['check', 'checked'], 'the hostname {thing} of {site}'),
  approveHostname: sites('hostname', ['approve', 'approved'], 'the hostname {thing} of {site}'),
  removeHostname: sites('hostname', ['remove', 'removed'], 'the hostname {thing} from {site}'),

  putProjectSource: publishing('source', publish, 'the preview {thing} of {site}', '{site}'),
  updateProject: publishing('site', publish, '{site} again'),
  changeDeployment: publishing('deployment', change, 'the deployment {thing} of {site}'),
  deleteDeployment: publishing('deployment', remove, 'the deployment {thing} of {site}'),
  cancelDeployment: publishing('deployment', cancel, 'the deployment {thing} of {site}'),
  promoteDeployment: publishing(
    'live-deployment',
    ['switch', 'switched'],
    '{site} to the deployment {thing}',
    '{site} to another deployment',
  ),
  rebuildDeployment: publishing(
    'deployment',
    publish,
    'the source of the deployment {thing} of {site} again',
  ),
  addSource: publishing('git-source', add, 'the Git source {thing} to {site}'),
  changeSource: publishing('git-source', change, 'the Git source {thing} of {site}'),
  fetchSource: publishing('git-source', ['fetch', 'fetched'], 'the Git source {thing} of {site}'),
  resumeGitSource: publishing('git-source', ['resume', 'resumed'], 'the pushes of {site}'),
  closeQuestion: assistant(
    'site',
    ['tell', 'told'],
    'readers of {site} that a question is answered',
  ),
  proposePage: publishing('site', add, 'a draft to the repository of {site}'),
  rotateSourceWebhookSecret: publishing(
    'git-source',
    create,
    'a secret for the webhook of the Git source {thing} of {site}',
  ),
  removeSource: publishing(
    'git-source',
    ['remove', 'removed'],
    'the Git source {thing} from {site}',
  ),
  approvePullRequest: publishing(
    'git-source',
    ['let', 'let'],
    'a pull request of {thing} be built for {site}',
    'a pull request be built for {site}',
  ),
  createPreview: publishing('preview', ['set up', 'set up'], 'the preview {thing} of {site}'),
  changePreview: publishing('preview', change, 'the preview {thing} of {site}'),
  startPreview: publishing('preview', ['build', 'built'], 'the preview {thing} of {site}'),
  deletePreview: publishing('preview', remove, 'the preview {thing} of {site}'),

  startStaticExport: exports('export', start, 'an export of {site}'),
  startProjectExport: exports('export', start, 'an export of {site}'),
  deleteStaticExportBundle: exports('export', remove, 'the bundle of an export of {site}'),
  cancelStaticExport: exports('export', cancel, 'an export of {site}'),
  getStaticExportBundle: exports(
    'export',
    ['download', 'downloaded'],
    'the bundle of an export of {site}',
  ),

  changeProjectAssistantSettings: assistant(
    'assistant-settings',
    change,
    'the assistant settings of {site}',
  ),

  startAssistantExperiment: assistant('assistant-settings', start, 'an experiment of {site}'),
  endAssistantExperiment: assistant('assistant-settings', end, 'the experiment of {site}'),

  changeProjectAnalyticsSettings: analytics(
    'analytics-settings',
    change,
    'the analytics settings of {site}',
  ),
  deleteAnalytics: analytics('site', remove, 'the analytics of {site}'),
  deleteAssistantThread: analytics('site', remove, 'a conversation of {site}'),
  deleteFeedback: analytics('site', remove, 'feedback on {site}'),
  changeFeedback: analytics('feedback', change, 'the state of feedback on {site}'),
  createGitHubApp: organization('github-app', ['prepare', 'prepared'], 'a GitHub App'),
  completeGitHubApp: organization('github-app', create, 'the GitHub App {thing}'),
  removeGitHubApp: organization('github-app', remove, 'the GitHub App {thing}'),
  createWebhook: organization('webhook', create, 'the webhook {thing}'),
  changeWebhook: organization('webhook', change, 'the webhook {thing}'),
  takeOverWebhook: organization('webhook', takeOver, 'the webhook {thing}'),
  rotateWebhookSecret: organization('webhook', change, 'the secret of the webhook {thing}'),
  testWebhook: organization('webhook', ['test', 'tested'], 'the webhook {thing}'),
  replayWebhookDelivery: organization(
    'webhook',
    ['send', 'sent'],
    'an event to the webhook {thing} again',
  ),
  deleteWebhook: organization('webhook', remove, 'the webhook {thing}'),
  createAnalyticsStream: analytics('stream', create, 'the stream {thing} of {site}'),
  changeAnalyticsStream: analytics('stream', change, 'the stream {thing} of {site}'),
  takeOverStream: analytics('stream', takeOver, 'the stream {thing} of {site}'),
  deleteAnalyticsStream: analytics('stream', remove, 'the stream {thing} of {site}'),
  testAnalyticsStream: analytics('stream', ['test', 'tested'], 'the stream {thing} of {site}'),
  rotateAnalyticsStreamSecret: analytics(
    'stream',
    ['replace', 'replaced'],
    'the secret of the stream {thing} of {site}',
  ),

  createKey: keys('key', create, 'the key {thing}'),
  changeKey: keys('key', change, 'the key {thing}'),
  revokeKey: keys('key', revoke, 'the key {thing}'),

  takeOverKey: keys('key', takeOver, 'the key {thing}'),

  createInvitation: members('invitation', ['invite', 'invited'], '{thing}', 'a person'),
  revokeInvitation: members('invitation', revoke, 'the invitation of {thing}', 'an invitation'),
  takeOverInvitation: members('invitation', takeOver, 'the invitation of {thing}', 'an invitation'),
  acceptInvitation: members('member', join, 'the organization by invitation'),
  joinBySso: members('member', join, 'the organization by single sign-on'),
  changeMember: members('member', change, 'the role of {thing}', 'the role of a member'),
  removeMember: members(
    'member',
    ['remove', 'removed'],
    '{thing} from the organization',
    'a member',
  ),

  changeDirectory: organization('organization', change, 'the roles of the directory (SCIM)'),
  createDirectoryToken: organization('organization', create, 'a token for the directory (SCIM)'),
  deleteDirectoryToken: organization('organization', remove, 'the token of the directory (SCIM)'),
  changeOrganizationSignIn: organization(
    'sign-in',
    change,
    'how people of the organization sign in',
  ),
  setUp: organization('organization', ['set up', 'set up'], 'the organization'),
  createOrganization: organization('new-organization', create, ...ofOther),
  changeOrganization: organization('organization', change, 'the settings of the organization'),
  deleteOrganization: organization('organization', remove, ofOther[0], 'the organization'),

  createPasswordReset: accounts(
    'member',
    create,
    'a password reset link for {thing}',
    'a password reset link',
  ),
  changeUser: accounts('member', change, 'the email address of {thing}', 'an email address'),
  unlockUser: accounts('member', ['unlock', 'unlocked'], 'the sign-in of {thing}', 'a sign-in'),
  removeTwoFactor: accounts(
    'member',
    ['remove', 'removed'],
    'the second factor of {thing}',
    'a second factor',
  ),
  deleteUser: accounts('member', remove, 'the account of {thing}', 'an account'),
  resetPassword: accounts('member', ['reset', 'reset'], 'their password'),
  requestEmailChange: accounts(
    'member',
    ['request', 'requested'],
    'a change of their email address',
  ),
  confirmEmailChange: accounts('member', change, 'their email address'),
  changePassword: accounts('member', change, 'their password'),
  enableTwoFactor: accounts('member', ['set up', 'set up'], 'two-factor authentication'),
  disableTwoFactor: accounts('member', ['turn off', 'turned off'], 'two-factor authentication'),
  createRecoveryCodes: accounts('member', create, 'new recovery codes'),
  revokeSession: accounts('member', end, 'one of their sessions'),
  revokeOtherSessions: accounts('member', end, 'their other sessions'),
  signInWithPassword: accounts('member', signIn, 'with their password'),
  signInWithCode: accounts('member', signIn, 'with a code of their app'),
  signInWithRecoveryCode: accounts('member', signIn, 'with a recovery code'),
  signInWithPasskey: accounts('member', signIn, 'with a passkey'),
  addPasskey: accounts('member', add, 'a passkey'),
  deletePasskey: accounts('member', remove, 'one of their passkeys'),
  signInWithSso: accounts('member', signIn, 'with single sign-on'),
  signOut: accounts('member', ['sign out of', 'signed out of'], 'a session'),
  endUserSessions: accounts('member', end, 'all sessions of {thing}', 'all sessions of a person'),
  endMemberSessions: accounts('member', end, 'all sessions of {thing}', 'all sessions of a member'),
  revokeTrustedDevice: accounts('member', end, 'the trust in one of their browsers'),
  connectSingleSignOn: accounts(
    'member',
    ['connect', 'connected'],
    'their account to single sign-on',
  ),
  disconnectSingleSignOn: accounts(
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
  actorKind: 'person' | 'key' | 'operator' | 'directory' | null;
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
  if (actor === 'directory') return [{ text: 'The directory (SCIM)', isName: true }];
  if (actorName === null) return [{ text: 'Someone without a name here', isName: false }];
  if (actorKind !== 'key') return [{ text: actorName, isName: true }];
  return [
    { text: 'The key ', isName: false },
    { text: actorName, isName: true },
  ];
}

function wordsOf({ action, thingName }: Pick<AuditedEntry, 'action' | 'thingName'>) {
  const object = spaced(action);
  const words = AUDITED[action] ?? { verb: ['run', 'ran'] as const, object, unnamed: object };
  return { verb: words.verb, object: thingName === null ? words.unnamed : words.object };
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
  const words = ({ verb, object, unnamed }: AuditedOperation) =>
    `${verb.join(' ')} ${object} ${unnamed}`.replaceAll(/\{\w+\}/g, '').toLowerCase();
  return Object.entries(AUDITED).flatMap(([name, described]) =>
    words(described).includes(text) ? [name] : [],
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
  limitsKeys: 'Admin keys from allowed addresses only',
  pinned: 'Kept forever',
  password: 'Password of readers',
  jwt: 'Tokens of readers',
  members: 'Sign-in of members',
  mail: 'Sign-in by mail',
  oidc: 'OpenID Connect provider of readers',
  oauth: 'OAuth 2 server of readers',
  saml: 'SAML provider of readers',
};

/** The title of a changed property: `retentionDays` becomes "Retention days". */
export function fieldTitle(field: string): string {
  return FIELD_TITLES[field] ?? spaced(field).replace(/^./, (letter) => letter.toUpperCase());
}

const spaced = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
