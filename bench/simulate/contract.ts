/** How simulated tenants reach the platform. */
export interface HolderOptions {
  /** The replicas: each tenant uses one of them. */
  readonly urls: readonly string[]
  /** The certificate of their authority. */
  readonly authorityFile: string
  readonly accessKey: string
  readonly project: string
}

/** The history of links since the last call. Times are those of the machine, in milliseconds. */
export interface LinkHistory {
  readonly linked: number
  /** When links were established. */
  readonly linkedAtMs: readonly number[]
  /** When links were lost. */
  readonly lostAtMs: readonly number[]
  /** Failed attempts, by reason. */
  readonly failed: Readonly<Record<string, number>>
  /** How long the holder has waited for a core since it began. */
  readonly waitedMs: number
}

/** Simulated tenants: real links, and behind each of them an API with one answer. */
export interface Holder {
  /** Resolves when the tenants with these numbers are linked. */
  open(from: number, to: number): Promise<void>
  history(): Promise<LinkHistory>
  stop(): Promise<void>
}

export function tenantName(number: number): string {
  return `tenant-${number}`
}
