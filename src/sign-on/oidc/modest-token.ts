import { isJsonObject } from '../../base/json/member.ts'
import { requireModestJson } from '../fetch/modest-json.ts'

/**
 * The header and the claims of a token are JSON within a text, so the limits of the answer around it do not see them.
 * `answer`: one with an ID token, or one that is a token itself. Throws if it would take long to build them.
 */
export function requireModestToken(answer: string, origin: string): void {
  for (const part of tokenIn(answer).split('.', 2)) requireModestJson(Buffer.from(part, 'base64url'), origin)
}

function tokenIn(answer: string): string {
  try {
    const value: unknown = JSON.parse(answer)
    const token = isJsonObject(value) ? value.id_token : undefined
    return typeof token === 'string' ? token : ''
  } catch {
    return answer
  }
}
