/** What was found out about one part of the way from a virtual cluster to its platform. */
export interface DoctorFinding {
  readonly check: CheckName
  readonly state: FindingState
  readonly detail: string
  /** What to do about it; absent where nothing has to be done. */
  readonly fix?: string
  /** One for each object that it is about. */
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
