import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** Files in which operating systems keep their trusted authorities. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The authorities of the machine, so that changes by its administrator count; those of Node if the machine has none.
 * `SSL_CERT_FILE` and `NODE_EXTRA_CA_CERTS` have their usual meaning.
 */
export function systemRoots(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { SSL_CERT_FILE: chosen, NODE_EXTRA_CA_CERTS: extra } = env
  const own = firstReadable(chosen ? [chosen] : bundles)
  const added = firstReadable(extra ? [extra] : [])
  return [...(own === undefined ? rootCertificates : [own]), ...(added === undefined ? [] : [added])]
}

function firstReadable(files: readonly string[]): string | undefined {
  for (const file of files) {
    try {
      const text = readFileSync(file, 'utf8')
      if (text.includes('-----BEGIN CERTIFICATE-----')) return text
    } catch {
      // Missing: the next one may exist.
    }
  }
  return undefined
}
