import type { LayerFile } from '../contract.ts'

export function isCertificate(path: string): boolean {
  return path.startsWith('usr/share/ca-certificates/') && path.endsWith('.crt')
}

/** All of them in one file, where OpenSSL and Debian's own programs look: what installing the package would make. */
export function certificateBundle(certificates: readonly LayerFile[]): LayerFile {
  const sorted = certificates.toSorted((left, right) => (left.path < right.path ? -1 : 1))
  const texts = sorted.map(({ content }) => Buffer.from(content).toString().trimEnd())
  const content = Buffer.from(texts.map((text) => `${text}\n`).join(''))
  return { type: 'file', path: 'etc/ssl/certs/ca-certificates.crt', mode: 0o644, content }
}
