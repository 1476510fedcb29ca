import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licensedFeatures } from '../../src/auth/license/contract.ts'
import { signLicense } from '../../src/auth/license/sign.ts'
import { printEd25519PublicKey } from '../../src/base/keys/ed25519.ts'

const { privateKey } = generateKeyPairSync('ed25519')

/** The public key of the issuer whose licenses tests use. */
export const testIssuer = printEd25519PublicKey(privateKey)

/** A license, by default for everything. */
export function testLicense(features: readonly string[] = licensedFeatures, virtualClusters?: number): Promise<string> {
  const limits = virtualClusters === undefined ? {} : { virtualClusters }
  return signLicense({ id: 'test', issuedTo: 'Tests', features, limits, issuedAtMs: 0 }, privateKey)
}

const everything = await testLicense()

/** Flags of `tenant run` and `tenant platform serve`. */
export function licenseFlags(folder: string, license = everything): readonly string[] {
  const file = join(folder, 'license.jwt')
  writeFileSync(file, license)
  return ['--license', file, '--license-issuer', testIssuer]
}
