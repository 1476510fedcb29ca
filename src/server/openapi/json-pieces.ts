import { isJsonObject } from '../../base/json/member.ts'
import type { Steps } from '../../base/steps.ts'

/** Where documents have their paths and definitions: that many levels down, each member is a piece. */
const levels = 3

/** A document as JSON, one member after the other: as a whole it may take as long as thousands of requests. */
export function* jsonPieces(document: Readonly<Record<string, unknown>>): Steps<readonly Buffer[]> {
  const pieces: Buffer[] = []
  yield* addMembers(document, levels, pieces)
  return pieces
}

function* addMembers(object: Readonly<Record<string, unknown>>, depth: number, pieces: Buffer[]): Steps<void> {
  let opening = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    const start = `${opening}${JSON.stringify(name)}:`
    opening = ','
    if (depth > 1 && isJsonObject(value)) {
      pieces.push(Buffer.from(start))
      yield* addMembers(value, depth - 1, pieces)
    } else {
      pieces.push(Buffer.from(start + JSON.stringify(value)))
      yield
    }
  }
  pieces.push(Buffer.from(opening === '{' ? '{}' : '}'))
}
