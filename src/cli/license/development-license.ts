import { join } from 'node:path'
import { ownLicense } from '../../auth/license/own-license.ts'
import { signLicense } from '../../auth/license/sign.ts'
import type { Clock } from '../../base/clock.ts'
import { generateEd25519Pem, printEd25519PublicKey, readEd25519PrivateKey } from '../../base/keys/ed25519.ts'
import { keptSecret } from '../../cluster/identity/kept-secret.ts'

export interface DevelopmentLicense {
  readonly document: string
  /** The public key of the issuer, in the form that tenants get. */
  readonly issuerKey: string
}

/** A platform on one machine issues its own license. It is signed again at every start, so it never expires. */
export async function developmentLicense(directory: string, clock: Clock): Promise<DevelopmentLicense> {
  const kept = await keptSecret(join(directory, 'pki', 'license-issuer.key'), async () => generateEd25519Pem())
  const issuer = readEd25519PrivateKey(kept.value)
  const license = ownLicense({ id: 'development', issuedTo: 'this machine' }, clock.now())
  return { document: await signLicense(license, issuer), issuerKey: printEd25519PublicKey(issuer) }
}
