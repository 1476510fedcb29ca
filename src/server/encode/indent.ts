/**
 * Indents finished JSON by two spaces, as Go does. Works on the text, so that numbers stay as they were written.
 * The text must be valid JSON without whitespace outside of strings.
 */
export function indentJson(text: string): string {
  return new Indenter().indent(text)
}

/** The same for text in parts. No part ends inside a string, or between the brackets of an empty object or array. */
export class Indenter {
  #depth = 0

  indent(text: string): string {
    const { out, depth } = indentedFrom(text, this.#depth)
    this.#depth = depth
    return out
  }
}

function indentedFrom(text: string, startDepth: number): { readonly out: string; readonly depth: number } {
  const out: string[] = []
  let depth = startDepth
  let from = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at)
        break
      case 0x7b: // {
      case 0x5b: // [
        if (isClosing(text.charCodeAt(at + 1))) {
          at++
          break
        }
        depth++
        out.push(text.slice(from, at + 1), lineBreak(depth))
        from = at + 1
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth--
        out.push(text.slice(from, at), lineBreak(depth))
        from = at
        break
      case 0x2c: // ,
        out.push(text.slice(from, at + 1), lineBreak(depth))
        from = at + 1
        break
      case 0x3a: // :
        out.push(text.slice(from, at + 1), ' ')
        from = at + 1
        break
    }
  }
  out.push(text.slice(from))
  return { out: out.join(''), depth }
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at
  }
  return text.length
}

function lineBreak(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}
