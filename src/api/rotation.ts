/** Where an API server of this program is told to replace its certificates and keys. */
export const rotationPath = '/certificates/rotate'

/** The certificate that a server shows, the authority that signs it, and the key that signs service account tokens. */
export const rotationParts = ['certificate', 'authority', 'service-account-keys'] as const

export type RotationPart = (typeof rotationParts)[number]

export function isRotationPart(text: string): text is RotationPart {
  return rotationParts.some((part) => part === text)
}

/** What became of each part. One that was given by the operator is replaced where it comes from. */
export interface RotationResult {
  readonly parts: Readonly<Partial<Record<RotationPart, 'replaced' | 'given'>>>
  /** Of the certificate that is shown from now on. */
  readonly certificateEnds: string
  /** SHA-256, of the authority. */
  readonly authorityFingerprint: string
  readonly authorityEnds: string
  /** How many authorities clients may still trust instead. */
  readonly authoritiesBefore: number
}
