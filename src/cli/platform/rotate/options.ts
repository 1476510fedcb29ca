import type { RotationPart } from '../../../api/rotation.ts'
import type { TargetFlags } from '../../backup/options.ts'
import type { OutputFormat } from '../../output/format.ts'

export interface RotateCertificatesOptions extends TargetFlags {
  readonly only?: readonly RotationPart[]
  /** Seconds. */
  readonly overlap?: number
  /** The authority in the Secret of an installation, instead of what a server has. */
  readonly installed?: boolean
  readonly namespace: string
  readonly output: OutputFormat
}
