/** Where an API server of this program receives orders to replace its certificates and keys. */
export const rotationPath = '/certificates/rotate'

/** The certificate that a server presents, the authority that signs it, and the key that signs service account tokens. */
export const rotationParts = ['certificate', 'authority', 'service-account-keys'] as const

export type RotationPart = (typeof rotationParts)[number]

export function isRotationPart(text: string): text is RotationPart {
  return rotationParts.some((part) => part === text)
}

/** The result for each part. A part supplied by the operator must be replaced at its source. */
export interface RotationResult {
  readonly parts: Readonly<Partial<Record<RotationPart, 'replaced' | 'given'>>>
  /** The end of the certificate that is presented from now on. */
  readonly certificateEnds: string
  /** SHA-256 of the authority. */
  readonly authorityFingerprint: string
  readonly authorityEnds: string
  /** How many previous authorities clients may still trust. */
  readonly authoritiesBefore: number
}
