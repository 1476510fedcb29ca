import type { Meter } from '../meter.ts'

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

/** The text as a literal of an expression. */
export function quotedText(text: string, meter: Meter): string {
  meter.work(text.length)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  return `"${text.replace(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => escapes[character] ?? character)}"`
}
