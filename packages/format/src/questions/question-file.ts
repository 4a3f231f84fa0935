import * as z from 'zod';
import { DocentError } from '../errors.ts';
import { withoutSlashes } from '../links.ts';
import { parseYaml, YamlFault } from '../yaml-document.ts';

/** Name of the file at the root of a documentation folder; it is read, and never published. */
export const QUESTION_FILE = 'questions.yaml';
const MAX_QUESTIONS = 1000;
const MAX_LENGTH = 1_000_000;

const words = z.string().trim().min(1).max(200);
const percent = z.number().min(0).max(100);
const path = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .transform((text) => withoutSlashes(text).replace(/\.mdx?$/, ''));

const question = z.strictObject({
  question: z.string().trim().min(1).max(2000).describe('The question, as a reader asks it.'),
  pages: z
    .array(path)
    .max(20)
    .default([])
    .describe(
      'The pages that answer it; one of them is enough. Without any, the question is open: its page is still to be written.',
    ),
  words: z
    .array(z.union([words, z.array(words).min(1).max(20)]))
    .max(20)
    .default([])
    .describe(
      'What the answer must contain, in any case of letters; of a list in the list, one is enough.',
    ),
  version: z.string().max(100).optional().describe('Only pages of this version are searched.'),
  language: z.string().max(100).optional().describe('Only pages in this language are searched.'),
});

const rules = z
  .strictObject({
    first: percent
      .optional()
      .describe('Minimum percentage of questions whose page is found first.'),
    inFive: percent
      .optional()
      .describe(
        'Minimum percentage of questions whose page is among the first five; 100 if no percentage is set.',
      ),
    answered: percent
      .optional()
      .describe('Minimum percentage of questions that are answered from their page.'),
    lost: z
      .int()
      .min(0)
      .default(0)
      .describe('Maximum number of questions that only the other version answers.'),
  })
  .describe('What makes the test fail. Open questions do not count.');

const file = z.strictObject({
  $schema: z.string().optional().describe('Address of this schema, for editors.'),
  rules: rules.optional(),
  questions: z.array(question).min(1).max(MAX_QUESTIONS).describe('The questions.'),
});

export type TestQuestion = z.output<typeof question>;
export type QuestionRules = z.output<typeof rules>;

export interface QuestionFile {
  questions: TestQuestion[];
  rules: QuestionRules;
}

/** Returns the JSON Schema of the file, for editors. @param id its address */
export function questionFileSchema(id?: string): object {
  const { $schema, ...schema } = z.toJSONSchema(file, { io: 'input' });
  return { $schema, ...(id !== undefined && { $id: id }), title: QUESTION_FILE, ...schema };
}

/**
 * Parses a file of questions, YAML or JSON.
 * @param name of the file, for messages
 * @throws DocentError `invalid_setting`, which names the place of every fault
 */
export function parseQuestions(text: string, name = QUESTION_FILE): QuestionFile {
  if (text.length > MAX_LENGTH)
    throw new DocentError('invalid_setting', `${name} is longer than ${MAX_LENGTH} characters.`);
  const parsed = file.safeParse(yamlIn(text, name));
  const faults = parsed.success
    ? duplicates(parsed.data.questions)
    : parsed.error.issues.map(faultText);
  if (faults.length > 0)
    throw new DocentError('invalid_setting', faults.map((fault) => `${name}: ${fault}`).join('\n'));
  const { questions, rules: chosen } = parsed.data as z.output<typeof file>;
  const { first, inFive, answered, lost = 0 } = chosen ?? {};
  const isSet = first !== undefined || inFive !== undefined || answered !== undefined;
  return { questions, rules: { first, inFive: isSet ? inFive : 100, answered, lost } };
}

function yamlIn(text: string, name: string): unknown {
  try {
    return parseYaml(text, { maxAliases: 100 }).value;
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw new DocentError('invalid_setting', `${name}, line ${error.line}: ${error.message}.`, {
      cause: error,
    });
  }
}

function faultText({ path: keys, message }: z.core.$ZodIssue): string {
  const [list, index, ...others] = keys;
  const place =
    list === 'questions' && typeof index === 'number' ? ['question', index + 1, ...others] : keys;
  return `${place.join(' ') || 'the file'}: ${message}.`;
}

function duplicates(questions: readonly TestQuestion[]): string[] {
  const keys = questions.map(questionKey);
  return keys.flatMap((key, index) => {
    const before = keys.indexOf(key);
    return before === index
      ? []
      : [`question ${index + 1} is the same as question ${before + 1}; remove one of them.`];
  });
}

/** Questions with the same key are the same question. */
export function questionKey({
  question: text,
  version = '',
  language = '',
}: Pick<TestQuestion, 'question' | 'version' | 'language'>) {
  return JSON.stringify([text.toLowerCase().replaceAll(/\s+/g, ' '), version, language]);
}
