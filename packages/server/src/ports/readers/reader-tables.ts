import type { Reader } from '@docent/format/access/may-read.ts';
import type { ColumnType } from 'kysely';

/**
 * Read as a value, written as its JSON text. Not one of `ports/column-types.ts`, whose folder
 * imports this one.
 */
type Json<Value> = ColumnType<Value, string, string>;

/** What all ways to sign in have. */
export interface StoredMethod {
  /** Changes with what readers prove: sessions of another one have ended. */
  generation: string;
  /** When that was; ISO 8601. */
  changedAt: string;
}

/** The ways to sign in to a site, by name, as they are stored. */
export interface StoredMethods {
  /** A password that all readers share. */
  password?: StoredMethod & { hash: string };
  /** The accounts of the members of the organization. */
  members?: StoredMethod;
  /** Links by mail, for the addresses in `site_readers`. */
  mail?: StoredMethod;
  /** Tokens that the owner's sign-in page signs. */
  jwt?: StoredMethod & { loginUrl: string | null; keys: TokenKeys };
  /** An OpenID Connect provider, with discovery. */
  oidc?: StoredMethod & OidcSettings & { secret: string | null };
  /** An OAuth 2 server, whose information endpoint describes the reader. */
  oauth?: StoredMethod & OAuthSettings & { secret: string | null };
  /** An identity provider of SAML 2.0. */
  saml?: StoredMethod & SamlSettings;
}

/** What an owner sets of a provider; the secret of the client is stored encrypted beside it. */
interface ProviderSettings {
  clientId: string;
  scopes: string[];
  /** Returns the user object of the reader for an access token. */
  informationUrl: string | null;
  /** Where readers go after they signed out of the site. */
  logoutUrl: string | null;
}

export interface OidcSettings extends ProviderSettings {
  issuer: string;
  /** Name of the claim with the groups; with dots inside another one. */
  groupsClaim: string | null;
  /** Separates the groups, if the claim is a text. */
  groupsDelimiter: string | null;
  /** Domains of email addresses that are let in; empty: all. */
  emailDomains: string[];
  /** Whether readers sign out of the provider too, and come back from there. */
  endsSession?: boolean;
}

/** The OpenID Connect provider of an organization for its people, as it is stored. */
export interface PeopleOidc extends StoredMethod, OidcSettings {
  secret: string | null;
  /** Whether email addresses count that the provider does not call verified. */
  trustsEmail: boolean;
}

export interface OAuthSettings extends ProviderSettings {
  authorizationUrl: string;
  tokenUrl: string;
  informationUrl: string;
  /** Further parameters of the authorization address. */
  parameters: Record<string, string>;
}

/** What an owner sets of a provider of SAML 2.0. */
export interface SamlSettings {
  /** How the provider names itself. */
  entityId: string;
  /** Where readers are sent (HTTP-Redirect binding). */
  signInUrl: string;
  /** Certificates whose keys sign its assertions, as PEM; several while it changes its key. */
  certificates: string[];
  /** Attribute with the email address; null: those with the usual names. */
  emailAttribute: string | null;
  /** Attribute with the groups; null: none. */
  groupsAttribute: string | null;
  /** Domains of email addresses that are let in; empty: all. */
  emailDomains: string[];
  /** Where readers go after they signed out of the site. */
  logoutUrl: string | null;
}

/** What verifies tokens: a public key, or the address of a set of keys. */
export type TokenKeys =
  | { kind: 'key'; alg: TokenAlgorithm; jwk: Record<string, unknown> }
  | { kind: 'set'; url: string };

export const TOKEN_ALGORITHMS = ['EdDSA', 'ES256', 'RS256'] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];
export type MethodName = keyof StoredMethods;
/** How a session began; `view`: by an admin who sees the site as a reader. */
export type SessionMethod = MethodName | 'view';

/** What a session knows of its reader; the rest is in columns. */
export type StoredReader = Pick<Reader, 'id' | 'groups' | 'content' | 'apiPlaygroundInputs'>;

/** The columns of the tables about who may read a site. */
export interface ReaderTables {
  site_access: {
    site_id: string;
    is_private: boolean;
    session_days: number;
    methods: Json<StoredMethods>;
    changed_at: Date;
  };
  reader_sessions: {
    id: string;
    site_id: string;
    /** Hex SHA-256 of the token in the cookie. */
    token_hash: string;
    method: SessionMethod;
    generation: string;
    user_id: string | null;
    /** Of an admin who sees the site as a reader: their session of the dashboard. */
    viewer_session_id: ColumnType<string | null, string | null | undefined, never>;
    name: string | null;
    reader: Json<StoredReader>;
    created_at: Date;
    used_at: Date;
    expires_at: Date;
  };
  /** Readers whom a site names, and domains of their email addresses. */
  site_readers: {
    id: string;
    site_id: string;
    /** An email address, or a domain; in lower case. */
    address: string;
    groups: Json<readonly string[]>;
    created_at: Date;
  };
  /** Tokens and steps of a sign-in that were used, so that none is used again. */
  reader_proofs: {
    /** Hex SHA-256. */
    id: string;
    expires_at: Date;
  };
}
