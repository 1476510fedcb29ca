import { Composer, type CST, type Document, Lexer, Parser } from 'yaml'

/**
 * The documents of a YAML text, with scalars as text and repeated keys kept; what is wrong with them stands in their
 * `errors`. Throws what `tooDeepAt` makes of the place where the nesting gets out of hand.
 */
export function composeYaml(text: string, tooDeepAt: (offset: number) => Error): readonly Document.Parsed[] {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  return [...composer.compose(shallowTokens(text, tooDeepAt), true, text.length)]
}

/**
 * The composer calls itself for every level, and a stack that overflows inside a regular expression ends the whole
 * process. So depth is limited while the tokens are still being put together, which needs no stack.
 */
function* shallowTokens(text: string, tooDeepAt: (offset: number) => Error): Generator<CST.Token> {
  const parser = new Parser()
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > deepestToken) throw tooDeepAt(offset)
    offset += lexeme.length
  }
  yield* parser.end()
}

const deepestToken = 200
