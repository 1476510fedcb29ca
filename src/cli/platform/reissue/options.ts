import type { SessionFlags } from '../session.ts'

export interface ReissueOptions extends SessionFlags {
  readonly name: string
  readonly project?: string
  /** How long the virtual cluster may fetch its new proof. */
  readonly seconds: number
  /** As a Secret, for whoever puts it where the virtual cluster runs; absent: it fetches it itself. */
  readonly output?: 'yaml' | 'json'
}
