import { Composer, type Document, isScalar, Lexer, type Pair, Parser } from 'yaml'
import type { Steps } from '../steps.ts'

/** How much YAML is read. One word of it costs a thousand times as much as a character of JSON. */
export interface YamlLimits {
  readonly characters: number
  /** Keys, values, punctuation, and the white space between them. */
  readonly words: number
}

/** For YAML that clients send to a server, where parsing delays other requests. */
export const servedYaml: YamlLimits = { characters: 1024 * 1024, words: 20_000 }

/** For files of the user who runs the program. */
export const ownYaml: YamlLimits = { characters: 16 * 1024 * 1024, words: 2_000_000 }

/** Creates the errors for a text that exceeds a limit. */
export interface YamlRefusals {
  readonly tooDeepAt: (offset: number) => Error
  readonly tooMuchAt: (offset: number) => Error
}

/**
 * The documents of a YAML text, with scalars as text and repeated keys kept. Their `errors` list what is wrong with
 * them. A text that is too deep or too long is refused while its words are counted, before anything is composed.
 */
export function* composeYaml(
  text: string,
  limits: YamlLimits,
  refusals: YamlRefusals,
): Steps<readonly Document.Parsed[]> {
  if (text.length > limits.characters) throw refusals.tooMuchAt(limits.characters)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const parser = new Parser()
  const documents: Document.Parsed[] = []
  let offset = 0
  let words = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++words > limits.words) throw refusals.tooMuchAt(offset)
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token))
    if (parser.stack.length > deepestToken) throw refusals.tooDeepAt(offset)
    offset += lexeme.length
    if (words % wordsPerStep === 0) yield
  }
  for (const token of parser.end()) documents.push(...composer.next(token))
  return [...documents, ...composer.end(true, text.length)]
}

/**
 * The composer recurses for every level, and a stack overflow inside a regular expression ends the whole process. So
 * the depth is limited while the tokens are assembled, which needs no stack.
 */
const deepestToken = 200

/** About half a millisecond of work. */
const wordsPerStep = 100

/** Whether the document has no content, as after a final separator. */
export function isBlankDocument({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.type === 'PLAIN' && contents.value === '')
}

/** `<<`, whose value is merged into the map that contains it. */
export function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<'
}
