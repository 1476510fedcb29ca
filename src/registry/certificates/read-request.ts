import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import { readSigningRequest, type SigningRequest } from '../../base/certificates/signing-request.ts'
import { errorText } from '../../base/error-text.ts'

export type ReadSigningRequest =
  | { readonly outcome: 'read'; readonly request: SigningRequest }
  | { readonly outcome: 'unreadable'; readonly problem: string }

/** Decodes the PKCS #10 request in a CertificateSigningRequest. */
export async function readSigningRequestOf({ spec }: CertificateSigningRequest): Promise<ReadSigningRequest> {
  try {
    const request = await readSigningRequest(Buffer.from(spec.request, 'base64').toString('latin1'))
    return { outcome: 'read', request }
  } catch (error) {
    return { outcome: 'unreadable', problem: errorText(error) }
  }
}
