import type { RequestValues } from '../../../core/api-reference/playground/build-request.ts';

const MASK = '••••••••';

/** Returns the values with every credential replaced by dots, in the same shape. */
export function withoutSecrets(values: RequestValues): RequestValues {
  return {
    ...values,
    credentials: values.credentials.map(({ credential, value }) => ({
      // Dots in Base64 would look like a password.
      credential: credential.kind === 'basic' ? { ...credential, kind: 'key', prefix: 'Basic ' } : credential,
      value: value.value === '' && !value.userName ? value : { value: MASK },
    })),
  };
}
