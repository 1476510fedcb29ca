import type { SignedOn } from '../../auth/signed-on.ts'
import { sealText } from './sealing.ts'

/**
 * Refresh tokens give access elsewhere, so no object in the store shows one. The key is in the store too, beside the
 * objects.
 */
export async function withSealedData(signedOn: SignedOn, key: Uint8Array): Promise<SignedOn> {
  const { connectorData } = signedOn
  return connectorData === undefined ? signedOn : { ...signedOn, connectorData: await sealText(connectorData, key) }
}
