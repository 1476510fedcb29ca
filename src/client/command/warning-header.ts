/** One `Warning` header may contain several values; Node joins several headers with commas. */
const value = /\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g

/** The texts of the warnings in an answer. */
export function warningTexts(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(', ')
  return [...text.matchAll(value)].map(([, quoted = '']) => quoted.replace(/\\(.)/g, '$1'))
}
