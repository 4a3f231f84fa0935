import { type PlainRequest, quoted } from './sample-text.ts';

/** Returns the request as Go with `net/http`. */
export function goSample({ method, url, headers, body }: PlainRequest): string {
  const text = body === undefined ? 'nil' : 'payload';
  const imports = ['"fmt"', '"io"', '"net/http"', ...(body === undefined ? [] : ['"strings"'])];
  const payload = body === undefined ? '' : `\tpayload := strings.NewReader(${raw(body)})\n`;
  const lines = headers.map(([name, value]) => `\treq.Header.Set(${quoted(name)}, ${quoted(value)})\n`).join('');
  return `package main

import (
${imports.map((name) => `\t${name}`).join('\n')}
)

func main() {
${payload}\treq, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${text})
	if err != nil {
		panic(err)
	}
${lines}	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	fmt.Println(string(body))
}`;
}

/** A raw string between backticks can contain anything but a backtick. */
function raw(text: string): string {
  return text.includes('`') || text.includes('\r') ? quoted(text) : `\`${text}\``;
}
