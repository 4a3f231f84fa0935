/**
 * The kinds of tokens that the stylesheet colors. The index in the list is a token's class (`.k1` is a comment), so the order
 * must not change without the stylesheet. `scopes` are TextMate scopes; the most specific match wins, as in any theme. `sample`
 * is the scope that represents the kind when a site's own theme sets the colors.
 */
export interface TokenKind {
  /** Part of the CSS variable's name, `--d-token-<name>`. */
  name: string;
  scopes: readonly string[];
  sample: string;
}

export const plainScopes: readonly string[] = [
  'variable.other.readwrite',
  'variable.other.object',
  'variable.other.constant',
  'meta.embedded',
  'source.embedded',
  'string.unquoted.argument.shell',
  'string.unquoted.plain.out.yaml.plain',
  'string meta.image.inline.markdown',
  'keyword.operator.accessor',
  'punctuation.section.embedded source',
  'markup.raw.block punctuation',
  'storage.type.java',
  'storage.modifier.import.java',
  'storage.modifier.package.java',
];

export const tokenKinds: readonly TokenKind[] = [
  {
    name: 'comment',
    sample: 'comment.line',
    scopes: ['comment', 'punctuation.definition.comment', 'string.quoted.docstring', 'markup.quote'],
  },
  {
    name: 'keyword',
    sample: 'keyword.control',
    scopes: [
      'keyword',
      'storage',
      'storage.type',
      'storage.modifier',
      'keyword.operator.new',
      'keyword.operator.expression',
      'keyword.operator.logical.python',
      'keyword.operator.word',
      'variable.language.this',
      'variable.language.self',
      'variable.language.special.self',
      'variable.parameter.function.language.special',
      'support.type.primitive',
      'support.type.builtin',
      'keyword.other.unit',
      'entity.name.directive',
    ],
  },
  {
    name: 'string',
    sample: 'string.quoted.double',
    scopes: [
      'string',
      'punctuation.definition.string',
      'string.template',
      'markup.inline.raw',
      'markup.raw',
      'constant.other.symbol',
      'meta.attribute-selector string',
      'property.value.dotenv',
    ],
  },
  {
    name: 'escape',
    sample: 'constant.character.escape',
    scopes: [
      'constant.character.escape',
      'string.regexp',
      'constant.other.placeholder',
      'constant.character.format.placeholder',
      'punctuation.definition.template-expression',
      'punctuation.section.embedded',
      'constant.character.entity',
      'keyword.operator.quantifier.regexp',
    ],
  },
  {
    name: 'constant',
    sample: 'constant.numeric',
    scopes: [
      'constant',
      'constant.numeric',
      'constant.language',
      'support.constant',
      'variable.other.enummember',
      'keyword.other.unit.css',
      'constant.other.color',
    ],
  },
  {
    name: 'function',
    sample: 'entity.name.function',
    scopes: [
      'entity.name.function',
      'support.function',
      'meta.function-call.generic',
      'variable.function',
      'entity.name.command',
      'support.macro',
      'entity.name.function.macro',
    ],
  },
  {
    name: 'type',
    sample: 'entity.name.type',
    scopes: [
      'entity.name.type',
      'entity.name.class',
      'entity.name.namespace',
      'entity.other.inherited-class',
      'support.class',
      'support.type',
      'storage.type.cs',
      'storage.type.generic.java',
      'storage.type.object.array.java',
      'entity.name.section.group-title',
    ],
  },
  {
    name: 'variable',
    sample: 'variable.parameter',
    scopes: [
      'variable.parameter',
      'variable.language',
      'variable.other.normal.shell',
      'variable.other.assignment.shell',
      'variable.other.bracket.shell',
      'punctuation.definition.variable',
      'variable.other.php',
      'variable.other.readwrite.powershell',
      'variable.css',
      'variable.scss',
      'variable.argument.css',
      'variable.other.dotenv',
    ],
  },
  {
    name: 'property',
    sample: 'support.type.property-name',
    scopes: [
      'variable.key.dotenv',
      'support.type.property-name',
      'entity.name.tag.yaml',
      'entity.other.attribute-name',
      'meta.object-literal.key',
      'variable.object.property',
      'support.type.vendored.property-name',
      'keyword.other.definition.ini',
      'variable.other.key.toml',
      'keyword.key.toml',
      'meta.key.toml',
      'constant.other.option',
      'string.unquoted.argument constant.other.option.dash',
    ],
  },
  {
    name: 'tag',
    sample: 'entity.name.tag',
    scopes: [
      'entity.name.tag',
      'support.class.component',
      'entity.name.tag.css',
      'meta.selector entity.name.tag',
      'entity.other.attribute-name.class.css',
      'entity.other.attribute-name.id.css',
    ],
  },
  {
    name: 'operator',
    sample: 'keyword.operator',
    scopes: [
      'keyword.operator',
      'punctuation.definition.tag',
      'punctuation.separator.key-value.html',
      'storage.type.function.arrow',
      'punctuation.definition.list.begin.markdown',
      'beginning.punctuation.definition.list.markdown',
    ],
  },
  {
    name: 'inserted',
    sample: 'markup.inserted',
    scopes: ['markup.inserted', 'meta.diff.header.to-file', 'punctuation.definition.inserted'],
  },
  {
    name: 'deleted',
    sample: 'markup.deleted',
    scopes: ['markup.deleted', 'meta.diff.header.from-file', 'punctuation.definition.deleted', 'invalid.deprecated'],
  },
  {
    name: 'heading',
    sample: 'markup.heading',
    scopes: [
      'markup.heading',
      'entity.name.section',
      'punctuation.definition.heading',
      'meta.diff.range',
      'meta.diff.header',
      'markup.bold',
      'entity.name.section.group-title.ini',
    ],
  },
];
