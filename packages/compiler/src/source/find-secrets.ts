import { parseKey } from '@docent/format/access/keys.ts';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type {
  SecretLintRuleContext,
  SecretLintRuleReportHandler,
  SecretLintSourceCode,
} from '@secretlint/types';

/** A secret in a text. */
export interface Secret {
  /** What it is, with its article: `a GitHub token`. */
  kind: string;
  /** Position of its first character, and the position after its last one. */
  start: number;
  end: number;
  /**
   * Whether its form alone proves that it is a secret; otherwise it may be an example, as most
   * addresses with a password are.
   */
  isCertain: boolean;
}

/** A form of secrets that the rules of secretlint do not know, or know without its contents. */
interface SecretForm {
  kind: string;
  /** Reads each character a bounded number of times. */
  whole: RegExp;
  isPossible?: true;
  accepts?: (secret: string) => boolean;
}

const FORMS: readonly SecretForm[] = [
  {
    kind: 'a private key',
    // A header alone is an example; a real key is followed by its characters, on lines or as `\n`
    // in JSON.
    whole:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\{1,2}[rn]|[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\n|\\n)){0,20}[A-Za-z0-9+/]{40}(?:[A-Za-z0-9+/=\s]|\\{1,2}[rn]){0,10000}/g,
  },
  {
    kind: 'a private key',
    // Base64 of "-----BEGIN … PRIVATE KEY", as in Kubernetes secrets and configuration files.
    whole:
      /LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS0tLS0t|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS0t|BPUEVOU1NIIFBSSVZBVEUgS0VZ)[A-Za-z0-9+/]{40,20000}/g,
  },
  { kind: 'an AWS access key', whole: /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z2-7]{16}(?![A-Za-z0-9])/g },
  {
    kind: 'a Google API key',
    whole: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
    // Keys of maps and of Firebase are in pages of browsers on purpose.
    isPossible: true,
  },
  { kind: 'a PyPI token', whole: /(?<![A-Za-z0-9])pypi-AgE[A-Za-z0-9_-]{50,1000}/g },
  { kind: 'a key of an Azure storage account', whole: /(?<=AccountKey=)[A-Za-z0-9+/]{86}==/g },
  {
    kind: 'a client secret of Azure',
    whole: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  {
    kind: 'a live Stripe key',
    whole: /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{24,200}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'an OpenAI key',
    whole: /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{80,200}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'a Docent API key',
    whole: /svc_(?:dsc_)?[0-9A-Za-z]{39}(?![0-9A-Za-z])/g,
    accepts: (key) => parseKey(key) !== undefined,
  },
  {
    kind: 'a token of a directory (SCIM)',
    whole: /(?<![\w-])scim_[\w-]{43}(?![\w-])/g,
  },
  {
    kind: 'a signed token (JWT)',
    whole:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/g,
    isPossible: true,
  },
  {
    kind: 'an address with a password',
    whole:
      /(?<![A-Za-z0-9])(?:rediss?|amqps?):\/\/[^\s:@/]{0,100}:[^\s:@/]{6,200}@[^\s/?#:]{1,200}/g,
    isPossible: true,
  },
];

const POSSIBLE = /basicauth|database-connection/;
/**
 * Rules for what a form above knows better, for names of files, and for comments in a source that
 * turn rules off.
 */
const OTHER_RULES = /-(?:privatekey|gcp|stripe|filter-comments)$/;
const NAMES: Record<string, string> = {
  '1password': 'a 1Password token',
  anthropic: 'an Anthropic key',
  aws: 'a secret key of AWS',
  basicauth: 'an address with a password',
  cloudflare: 'a Cloudflare token',
  'database-connection-string': 'a database address with a password',
  databricks: 'a Databricks token',
  docker: 'a Docker token',
  figma: 'a Figma token',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  grafana: 'a Grafana token',
  groq: 'a Groq key',
  'hashicorp-vault': 'a Vault token',
  huggingface: 'a Hugging Face token',
  linear: 'a Linear key',
  notion: 'a Notion token',
  npm: 'an npm token',
  openai: 'an OpenAI key',
  sendgrid: 'a SendGrid key',
  shopify: 'a Shopify token',
  slack: 'a Slack token',
  tailscale: 'a Tailscale key',
  vercel: 'a Vercel token',
};

let report: SecretLintRuleContext['report'];
const checks = rules
  .filter(({ meta }) => !OTHER_RULES.test(meta.id))
  .map((rule) => {
    const name = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
    const context = {
      sharedOptions: {},
      // The texts of the messages hold the secret itself, so they are never made.
      createTranslator: () => (messageId: string) => ({ messageId, message: '', docsUrl: '' }),
      report: (descriptor: Parameters<typeof report>[0]) => report(descriptor),
      ignore: () => {},
    } as unknown as SecretLintRuleContext;
    return {
      kind: NAMES[name] ?? `a secret (${name})`,
      isCertain: !POSSIBLE.test(name),
      handler: rule.create(context, {}),
    };
  });

const EXAMPLE = /example|placeholder|your[-_]?|x{6}|(.)\1{7}|0123456|1234567|abcdefg|\.{3}|…/i;
const PLACEHOLDER_PASSWORD =
  /:(?:\/\/)?[^:@]*:(?:[<${[(*%]|p(?:ass)?w(?:or)?d|pass|secret|token|\w{1,5}@)|@(?:localhost|127\.|host|db\b|postgres\b|mysql\b|redis\b)/i;

/**
 * Returns the secrets in a text, in order and without overlaps: tokens and keys of about forty
 * services, private keys, our own keys. Examples (`AKIAIOSFODNN7EXAMPLE`, `ghp_xxxx…`) are none.
 * The rules are those of secretlint, and forms that it lacks.
 */
export function findSecrets(text: string): Secret[] {
  const results = [...secretsByForm(text), ...secretsByRule(text)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  let end = 0;
  return results.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
}

function secretsByForm(text: string): Secret[] {
  return FORMS.flatMap(({ kind, whole, isPossible, accepts }) =>
    [...text.matchAll(whole)].flatMap(({ 0: secret, index }) => {
      if (isExample(secret, isPossible === true) || accepts?.(secret) === false) return [];
      return { kind, start: index, end: index + secret.length, isCertain: !isPossible };
    }),
  );
}

function secretsByRule(text: string): Secret[] {
  const results: Secret[] = [];
  const source = {
    content: text,
    contentType: 'text',
    ext: '',
    filePath: undefined,
  } as unknown as SecretLintSourceCode;
  for (const { kind, isCertain, handler } of checks) {
    report = ({ range: [start, end] }) => {
      if (!isExample(text.slice(start, end), !isCertain))
        results.push({ kind, start, end, isCertain });
    };
    runNow(handler, source);
  }
  return results;
}

/** All rules for texts answer at once; one that did not could report a secret of another text. */
function runNow(handler: SecretLintRuleReportHandler, source: SecretLintSourceCode): void {
  if (handler.file?.(source) instanceof Promise)
    throw new Error('A rule for secrets works asynchronously.');
}

function isExample(secret: string, isAddress: boolean): boolean {
  return EXAMPLE.test(secret) || (isAddress && PLACEHOLDER_PASSWORD.test(secret));
}

/** As much of a secret as shows its kind: `sk_live_`, `github_pat_`. */
const PREFIX = /^[A-Za-z]{2,8}[-_.](?:[A-Za-z]{2,8}[-_])?/;
/** Not the `n` of a `\n` in JSON, which would no longer be JSON. */
const CHARACTERS = /(?<!\\)[A-Za-z0-9+/=_~.-]{6,}/g;
const LABELS = /-----BEGIN [A-Z0-9 ]{0,60}-----/;

/**
 * Returns the text with the characters of each certain secret replaced by `x`, so that the kind and
 * all positions stay. The text stays valid as Markdown, JSON and YAML.
 */
export function maskSecrets(text: string, secrets: readonly Secret[] = findSecrets(text)): string {
  let result = '';
  let from = 0;
  for (const { start, end } of secrets.filter((secret) => secret.isCertain)) {
    const secret = text.slice(start, end);
    const label = (LABELS.exec(secret) ?? PREFIX.exec(secret))?.[0] ?? '';
    const masked = secret.slice(label.length).replace(CHARACTERS, (run) => 'x'.repeat(run.length));
    result += text.slice(from, start) + label + masked;
    from = end;
  }
  return result + text.slice(from);
}
