import { isJsonObject } from '../../base/json/member.ts'
import type { Steps } from '../../base/steps.ts'

/** The depth of paths and definitions in documents: each member at this level is one piece. */
const levels = 3

/** Prints a document as JSON member by member: printed at once, it may take as long as thousands of requests. */
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
