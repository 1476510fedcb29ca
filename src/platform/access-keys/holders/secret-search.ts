import { decodeText } from '../../../api/core/base64.ts'
import { maxBroughtLength, minBroughtLength } from '../../../auth/keys/values/key-value.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { StoredDocument } from '../../../registry/document.ts'

/** An entry of a Secret that may be the value of a key. */
export interface SecretEntry {
  readonly namespace: string
  readonly name: string
  readonly entry: string
  readonly text: string
}

const longestBase64 = Math.ceil(maxBroughtLength / 3) * 4 + 4

/** Every entry that has the length of a key. */
export function* entriesOf({ object, namespace, name }: StoredDocument): Generator<SecretEntry> {
  const { data } = object
  if (!isJsonObject(data)) return
  for (const [entry, value] of Object.entries(data)) {
    if (typeof value !== 'string' || value.length > longestBase64) continue
    const text = decodeText(value).trim()
    if (text.length >= minBroughtLength && text.length <= maxBroughtLength) yield { namespace, name, entry, text }
  }
}
