import type { RotationPart } from '../../../api/rotation.ts'
import type { TargetFlags } from '../../backup/options.ts'
import type { OutputFormat } from '../../output/format.ts'

export interface RotateCertificatesOptions extends TargetFlags {
  readonly only?: readonly RotationPart[]
  /** Seconds. */
  readonly overlap?: number
  /** Rotates the authority in the Secret of an installation, rather than a server's own. */
  readonly installed?: boolean
  readonly namespace: string
  readonly output: OutputFormat
}
