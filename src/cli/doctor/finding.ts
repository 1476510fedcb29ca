/** The result of one check between a virtual cluster and its platform. */
export interface DoctorFinding {
  readonly check: CheckName
  readonly state: FindingState
  readonly detail: string
  /** What to do about it; absent if nothing must be done. */
  readonly fix?: string
  /** One for each affected object. */
  readonly lines?: readonly string[]
}

export type FindingState = 'ok' | 'warning' | 'failed' | 'skipped'

export type CheckName =
  | 'host'
  | 'configuration'
  | 'deployment'
  | 'storage'
  | 'nodes'
  | 'pods'
  | 'secret'
  | 'rights'
  | 'address'
  | 'clock'
  | 'key'
  | 'role'
  | 'registration'
  | 'link'
  | 'version'

export function ok(check: CheckName, detail: string): DoctorFinding {
  return { check, state: 'ok', detail }
}

export function failed(check: CheckName, detail: string, fix: string): DoctorFinding {
  return { check, state: 'failed', detail, fix }
}

export function warning(check: CheckName, detail: string, fix: string): DoctorFinding {
  return { check, state: 'warning', detail, fix }
}

export function skipped(check: CheckName, detail: string): DoctorFinding {
  return { check, state: 'skipped', detail }
}
