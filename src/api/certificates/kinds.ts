import type { Kind } from '../kind.ts'
import { certificateSigningRequest } from './certificate-signing-request.ts'

export function certificatesKinds(): readonly Kind[] {
  return [certificateSigningRequest]
}
