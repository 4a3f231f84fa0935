/**
 * The languages of request examples: the title of their tab, the language of its code block, and
 * all names that authors use.
 * `api-reference/samples/` writes the examples.
 */
export const SAMPLE_LANGUAGES = [
  { label: 'cURL', language: 'bash', names: ['curl', 'bash', 'shell', 'sh', 'zsh'] },
  { label: 'Python', language: 'python', names: ['python', 'py', 'python3'] },
  { label: 'JavaScript', language: 'javascript', names: ['javascript', 'js'] },
  { label: 'Node.js', language: 'javascript', names: ['node', 'nodejs', 'node.js'] },
  { label: 'TypeScript', language: 'typescript', names: ['typescript', 'ts'] },
  { label: 'PHP', language: 'php', names: ['php'] },
  { label: 'Go', language: 'go', names: ['go', 'golang'] },
  { label: 'Java', language: 'java', names: ['java'] },
  { label: 'Ruby', language: 'ruby', names: ['ruby', 'rb'] },
  { label: 'PowerShell', language: 'powershell', names: ['powershell', 'pwsh', 'ps1'] },
  { label: 'Swift', language: 'swift', names: ['swift'] },
  { label: 'C#', language: 'csharp', names: ['csharp', 'c#', 'cs'] },
  { label: '.NET', language: 'csharp', names: ['dotnet', '.net'] },
  { label: 'C', language: 'c', names: ['c'] },
  { label: 'C++', language: 'cpp', names: ['c++', 'cpp', 'cplusplus'] },
  { label: 'Kotlin', language: 'kotlin', names: ['kotlin', 'kt'] },
  { label: 'Rust', language: 'rust', names: ['rust', 'rs'] },
  { label: 'Dart', language: 'dart', names: ['dart'] },
] as const;

export type SampleLabel = (typeof SAMPLE_LANGUAGES)[number]['label'];
