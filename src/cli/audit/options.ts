import type { ChainLink } from '../../platform/audit/chain/chained-line.ts'

export interface VerifyAuditOptions {
  /** Absent: that of `tenant platform serve` or `tenant up`. */
  readonly dataDir?: string
  readonly head?: ChainLink
  readonly output: 'text' | 'json'
}
