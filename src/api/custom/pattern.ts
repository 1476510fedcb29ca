import { RE2JS } from 're2js'

/** A regular expression of a user. Its time grows with the length of the text and of the expression, and with nothing else. */
export interface Pattern {
  readonly source: string
  /** Whether it is found anywhere in the text. */
  matches(text: string): boolean
}

/** Compiled when it is first needed: of most schemas most patterns never are. */
export function lazyPattern(source: string): Pattern {
  let compiled: RE2JS | undefined
  return {
    source,
    matches: (text) => {
      compiled ??= RE2JS.compile(source)
      return compiled.matcher(text).find()
    },
  }
}

/** Why the text is no regular expression, in the words of Kubernetes; undefined if it is one. */
export function patternProblem(source: string): string | undefined {
  try {
    RE2JS.compile(source)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
