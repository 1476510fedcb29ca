/** Keeps part of the cluster in order. It looks at the state rather than at events, so acting twice is harmless. */
export interface Controller {
  stop(): Promise<void>
}

/** Reports what a controller could not do. It will be retried. */
export type ReportError = (controller: string, subject: string, error: unknown) => void
