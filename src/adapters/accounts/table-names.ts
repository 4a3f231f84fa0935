const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Names of the library's tables and columns in our migrations. */
export const tableNames = {
  user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    modelName: 'user_sessions',
    fields: { ...times, userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent' },
  },
  account: {
    modelName: 'user_credentials',
    fields: {
      ...times,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'user_verifications', fields: { ...times, expiresAt: 'expires_at' } },
};

export const twoFactorNames = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'user_two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};
