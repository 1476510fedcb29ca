import { isJsonObject } from '../base/json/member.ts'

/**
 * Undefined if it cannot be parsed or is not an object. The parser's error is dropped: it quotes the text, which may be
 * secret.
 */
export function parsedObject(parse: () => unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parse()
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
