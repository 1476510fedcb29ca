/** How simulated tenants reach the platform. */
export interface HolderOptions {
  /** Of the replicas: each tenant has one of them. */
  readonly urls: readonly string[]
  /** The certificate of their authority. */
  readonly authorityFile: string
  readonly accessKey: string
  readonly project: string
}

/** What links have gone through since they were last asked. Times are those of the machine, in milliseconds. */
export interface LinkHistory {
  readonly linked: number
  /** When links came about. */
  readonly linkedAtMs: readonly number[]
  /** When links were lost. */
  readonly lostAtMs: readonly number[]
  /** Attempts that failed, by reason. */
  readonly failed: Readonly<Record<string, number>>
  /** How long the holder has waited for a core since it began. */
  readonly waitedMs: number
}

/** Simulated tenants: real links, and behind each of them an API that has one answer. */
export interface Holder {
  /** Resolves when those with these numbers are linked. */
  open(from: number, to: number): Promise<void>
  history(): Promise<LinkHistory>
  stop(): Promise<void>
}

export function tenantName(number: number): string {
  return `tenant-${number}`
}
