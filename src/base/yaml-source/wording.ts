import type { YAMLParseError } from 'yaml'
import type { SyntaxProblem } from './node.ts'

type Wording = Omit<SyntaxProblem, 'span'>

const quoteIt = 'put the whole value in quotes, or write |- and the value on the next line'

const byCode: Readonly<Record<string, Wording>> = {
  TAB_AS_INDENT: { message: 'a tab cannot indent a line', suggestion: 'indent with spaces' },
  BLOCK_AS_IMPLICIT_KEY: { message: 'a value cannot hold ": " unless it is quoted', suggestion: quoteIt },
  BAD_SCALAR_START: { message: 'a value without quotes cannot start with this character', suggestion: quoteIt },
  MULTILINE_IMPLICIT_KEY: { message: 'a key must be followed by a colon on the same line' },
  BAD_DQ_ESCAPE: {
    message: 'double quotes do not know this escape',
    suggestion: 'write the backslash twice, or use single quotes, which keep it as it is',
  },
  UNEXPECTED_TOKEN: { message: 'this does not belong here', suggestion: quoteIt },
  MULTIPLE_ANCHORS: { message: 'a value can have one anchor only' },
  MULTIPLE_TAGS: { message: 'a value can have one tag only' },
  KEY_OVER_1024_CHARS: { message: 'a key can have at most 1024 characters' },
}

/** Rewords an error so that it says what to do, where the parser's message does not. */
export function syntaxWording({ code, message }: YAMLParseError): Wording {
  if (/^Flow \w+.* end with a/.test(message)) {
    const bracket = message.at(-1) ?? ']'
    return {
      message: `expected ${bracket} before this`,
      suggestion: `close the ${opening[bracket]} that is still open`,
    }
  }
  if (/^Missing closing/.test(message)) return { message: 'the quote that opens this text is never closed' }
  if (/must start at the same column/.test(message)) {
    return { message: 'this line is not indented like those beside it', suggestion: 'indent them all alike' }
  }
  return byCode[code] ?? { message: `${message.charAt(0).toLowerCase()}${message.slice(1)}` }
}

const opening: Readonly<Record<string, string>> = { ']': '[', '}': '{' }
