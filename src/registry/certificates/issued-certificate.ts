import { X509Certificate } from 'node:crypto'
import { quoted } from '../../api/human/go-syntax.ts'
import { type PemBlock, pemBlocks } from '../../base/certificates/pem.ts'

/** Why a text is not a chain of certificates. */
export function certificateProblem(text: string): string | undefined {
  const blocks = pemBlocks(text)
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block'
  return blocks.map(blockProblem).find((problem) => problem !== undefined)
}

function blockProblem({ label, hasHeaders, base64 }: PemBlock): string | undefined {
  if (label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${quoted(label)}`
  if (hasHeaders) return 'no PEM block headers are permitted'
  try {
    new X509Certificate(Buffer.from(base64, 'base64'))
    return undefined
  } catch {
    return 'x509: malformed certificate'
  }
}
