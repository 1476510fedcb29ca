import type { Part } from '../contract.ts'
import { compress, packEntries, sha256 } from './archive.ts'

export interface Layer {
  /** Of the compressed bytes. */
  readonly digest: string
  /** Of what they hold, whichever program compressed it. */
  readonly diffId: string
  readonly bytes: Uint8Array
}

export async function packLayer({ entries, modifiedSeconds }: Part): Promise<Layer> {
  const archive = await packEntries(entries, modifiedSeconds)
  const bytes = await compress(archive)
  return { digest: sha256(bytes), diffId: sha256(archive), bytes }
}
