import { JsonSyntaxError } from './error.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Refuses bytes that are not UTF-8, so that text is never stored differently from how it was sent. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new JsonSyntaxError('the text is not valid UTF-8')
  }
}
