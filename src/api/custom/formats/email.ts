import { isAddress } from './addresses.ts'

const atom = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\uffff]+/
const quotedText = /^"(?:[^"\\\r\n]|\\[^\r\n])*"/
const literal = /^\[([^\]]*)\]/

/** One address as in the header of a mail, `a@b.c` or `Name <a@b.c>`; comments may follow. */
export function isEmail(text: string): boolean {
  const start = withoutBlanks(text)
  const plain = afterAddress(start)
  if (plain !== undefined) return withoutComments(plain) === ''
  const named = afterPhrase(start)
  if (!named.startsWith('<')) return false
  const rest = afterAddress(named.slice(1))
  return rest?.startsWith('>') === true && withoutComments(rest.slice(1)) === ''
}

/** The text after the address; undefined if there is none. */
function afterAddress(text: string): string | undefined {
  const local = dotted(text) ?? quotedName(text)
  if (local === undefined || !text.startsWith('@', local.length)) return undefined
  const rest = withoutBlanks(text.slice(local.length + 1))
  const [found = '', address = ''] = literal.exec(rest) ?? []
  if (found !== '') return isAddress(address) ? rest.slice(found.length) : undefined
  const domain = dotted(rest)
  return domain === undefined ? undefined : rest.slice(domain.length)
}

function dotted(text: string): string | undefined {
  const found = atom.exec(text)?.[0]
  return found === undefined || /^\.|\.\.|\.$/.test(found) ? undefined : found
}

function quotedName(text: string): string | undefined {
  const found = quotedText.exec(text)?.[0]
  return found === '""' ? undefined : found
}

/** The words of a name. */
function afterPhrase(text: string): string {
  let rest = text
  for (;;) {
    const word = (quotedText.exec(rest) ?? atom.exec(rest))?.[0]
    if (word === undefined) return rest
    rest = withoutBlanks(rest.slice(word.length))
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '')
}

/** Undefined if a comment does not end. */
function withoutComments(text: string): string | undefined {
  let rest = withoutBlanks(text)
  while (rest.startsWith('(')) {
    const end = endOfComment(rest)
    if (end === undefined) return undefined
    rest = withoutBlanks(rest.slice(end))
  }
  return rest
}

function endOfComment(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return undefined
}
