/** The tokens of a label selector. `end` closes every list of tokens. */
export interface Token {
  readonly type: 'identifier' | 'in' | 'notin' | '!' | '=' | '==' | '!=' | '>' | '<' | ',' | '(' | ')' | 'end'
  readonly text: string
}

const symbols: ReadonlyMap<string, Token> = new Map(
  (['!', '=', '==', '!=', '>', '<', ',', '(', ')', 'in', 'notin'] as const).map((type) => [type, { type, text: type }]),
)

/** Two characters before one, so that the longest symbol wins. Everything but spaces and symbols is a word. */
const word = /==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+/g

const end: Token = { type: 'end', text: '' }

export function labelTokens(text: string): readonly Token[] {
  const tokens = Array.from(
    text.matchAll(word),
    ([found]): Token => symbols.get(found) ?? { type: 'identifier', text: found },
  )
  return [...tokens, end]
}
