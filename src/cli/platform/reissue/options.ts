import type { SessionFlags } from '../session.ts'

export interface ReissueOptions extends SessionFlags {
  readonly name: string
  readonly project?: string
  /** How long the virtual cluster may fetch its new proof. */
  readonly seconds: number
  /** Prints the proof as a Secret to apply where the virtual cluster runs; absent: the virtual cluster fetches it. */
  readonly output?: 'yaml' | 'json'
}
